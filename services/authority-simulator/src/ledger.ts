import type { DatabaseSync } from 'node:sqlite';
import { Storage, type StorageOptions } from './embedded/storage.ts';

/** What is written on a document: its number and issuer. */
export interface Written {
  document_number: string;
  issuer_tax_id: string;
}

/** What identifies a document. */
export interface Key extends Written {
  /** Who called; empty for callers that do not say so. */
  taxpayer: string;
}

export interface Registration extends Written {
  code: string;
  record_sha256: string;
  registered_at: string;
  voided_at: string | null;
}

export interface LedgerRow extends Registration {
  /** All submissions of the document since its last rejection, oldest first (at most 1,000). */
  received: { at: string; record_sha256: string }[];
}

const TABLES = `
  CREATE TABLE IF NOT EXISTS registrations (seq INTEGER PRIMARY KEY AUTOINCREMENT, document_number TEXT NOT NULL, issuer_tax_id TEXT NOT NULL,
    code TEXT NOT NULL, record_sha256 TEXT NOT NULL, registered_at TEXT NOT NULL, voided_at TEXT, taxpayer TEXT NOT NULL DEFAULT '',
    issuer_code TEXT NOT NULL DEFAULT '', UNIQUE (document_number, issuer_tax_id, taxpayer));
  CREATE TABLE IF NOT EXISTS received (seq INTEGER PRIMARY KEY, document_number TEXT NOT NULL, issuer_tax_id TEXT NOT NULL, at TEXT NOT NULL, record_sha256 TEXT NOT NULL,
    taxpayer TEXT NOT NULL DEFAULT '');
  CREATE INDEX IF NOT EXISTS received_of ON received (document_number, issuer_tax_id);
  CREATE TABLE IF NOT EXISTS calls (document_number TEXT NOT NULL, issuer_tax_id TEXT NOT NULL, simulate TEXT NOT NULL, count INTEGER NOT NULL,
    taxpayer TEXT NOT NULL DEFAULT '', PRIMARY KEY (document_number, issuer_tax_id, simulate, taxpayer));`;

const COLUMNS = 'document_number, issuer_tax_id, code, record_sha256, registered_at, voided_at';
const NUMBERED = 'document_number = :document_number AND issuer_tax_id = :issuer_tax_id';
const SAME = `${NUMBERED} AND taxpayer = :taxpayer`;

/** until 0.3: ledgers of 0.1.0 have no taxpayers, and one document for each number and issuer. */
function addTaxpayers(db: DatabaseSync): void {
  const columns = (table: string): string[] =>
    db
      .prepare('SELECT name FROM pragma_table_info(?)')
      .all(table)
      .map(({ name }) => String(name));
  if (columns('registrations').length === 0 || columns('registrations').includes('taxpayer')) return;
  const [registrations, calls] = ['registrations', 'calls'].map((table) => columns(table).join());
  db.exec(`BEGIN; ALTER TABLE registrations RENAME TO registrations_before; ALTER TABLE calls RENAME TO calls_before;
    ALTER TABLE received ADD COLUMN taxpayer TEXT NOT NULL DEFAULT ''; ${TABLES}
    INSERT INTO registrations (${registrations}) SELECT ${registrations} FROM registrations_before ORDER BY seq;
    INSERT INTO calls (${calls}) SELECT ${calls} FROM calls_before;
    DROP TABLE registrations_before; DROP TABLE calls_before; COMMIT`);
}

const REGISTRATIONS = 'registrations';

/**
 * The authority's ledger in a file of its own (SQLite). Call changing methods only inside `write`, whose promise resolves once the change is on
 * disk; await `settled` before reading outside of it.
 */
export class Ledger {
  /** Holds the state of the national protocols too. */
  readonly storage: Storage;

  /** `sync: null`: nothing is synced, as in a file `:memory:`. */
  constructor(file: string, options: StorageOptions = {}) {
    this.storage = new Storage(file, options);
    addTaxpayers(this.storage.db);
    this.storage.db.exec(TABLES);
  }

  write<T>(work: () => T): Promise<T> {
    return this.storage.write(work);
  }

  /** Resolves when all registrations are on the disk as they are read. */
  async settled(): Promise<void> {
    await this.storage.settled(REGISTRATIONS);
  }

  /**
   * The taxpayer's own. until 0.3: without one also what 0.1.0 registered of the same record; for callers of 0.1.0, which do not say who they are, any.
   */
  find(key: Key, record_sha256 = ''): Registration | undefined {
    return this.storage
      .sql(
        `SELECT ${COLUMNS} FROM registrations WHERE ${NUMBERED} AND (taxpayer = :taxpayer OR :taxpayer = '' OR (taxpayer = '' AND record_sha256 = :record_sha256))
       ORDER BY taxpayer = :taxpayer DESC, seq LIMIT 1`,
      )
      .get({ ...named(key), record_sha256 }) as Registration | undefined;
  }

  /** By what the link on a printed document says; until 0.3: no issuer's code is known of what 0.1.0 registered. */
  findPrinted(document: Written & { issuer_code: string }): Registration | undefined {
    return this.storage
      .sql(
        `SELECT ${COLUMNS} FROM registrations WHERE ${NUMBERED} AND (:issuer_code = '' OR issuer_code IN (:issuer_code, '')) ORDER BY issuer_code DESC, seq LIMIT 1`,
      )
      .get({ ...document }) as Registration | undefined;
  }

  register({ taxpayer, issuer_code, ...row }: Omit<Registration, 'voided_at'> & { taxpayer: string; issuer_code: string }): Registration {
    this.storage.wrote(REGISTRATIONS, row.document_number);
    this.storage
      .sql(
        `INSERT INTO registrations (document_number, issuer_tax_id, code, record_sha256, registered_at, taxpayer, issuer_code)
       VALUES (:document_number, :issuer_tax_id, :code, :record_sha256, :registered_at, :taxpayer, :issuer_code)`,
      )
      .run({ ...row, taxpayer, issuer_code });
    return { ...row, voided_at: null };
  }

  void({ document_number, code }: Registration, at: string): void {
    this.storage.wrote(REGISTRATIONS, document_number);
    this.storage
      .sql('UPDATE registrations SET voided_at = ? WHERE document_number = ? AND code = ? AND voided_at IS NULL')
      .run(at, document_number, code);
  }

  receive(key: Key, at: string, sha256: string): void {
    this.storage
      .sql(
        'INSERT INTO received (document_number, issuer_tax_id, at, record_sha256, taxpayer) VALUES (:document_number, :issuer_tax_id, :at, :sha256, :taxpayer)',
      )
      .run({
        ...named(key),
        at,
        sha256,
      });
  }

  /** Forgets submissions after a rejection: the next may be another record. */
  forget(key: Key): void {
    this.storage.sql(`DELETE FROM received WHERE ${SAME}`).run(named(key));
  }

  /** Counts a call for the document under this script; returns the number of earlier ones. */
  count(key: Key, simulate: string): number {
    const { count } = this.storage
      .sql(
        `INSERT INTO calls (document_number, issuer_tax_id, simulate, count, taxpayer) VALUES (:document_number, :issuer_tax_id, :simulate, 1, :taxpayer)
       ON CONFLICT DO UPDATE SET count = count + 1 RETURNING count`,
      )
      .get({ ...named(key), simulate }) as { count: number };
    return count - 1;
  }

  /** `limit` rows after the first `after`, in order of registration. */
  page(after: number, limit: number): { data: LedgerRow[]; total: number } {
    const rows = this.storage
      .sql(`SELECT taxpayer, ${COLUMNS} FROM registrations WHERE seq > ? ORDER BY seq LIMIT CAST(? AS INTEGER)`)
      .all(after, limit) as unknown as (Registration & Key)[];
    const { total } = this.storage.sql('SELECT count(*) AS total FROM registrations').get() as { total: number };
    const received = this.storage.sql(`SELECT at, record_sha256 FROM received WHERE ${SAME} ORDER BY seq LIMIT 1000`);
    const receivedOf = (key: Key) => received.all(named(key)) as unknown as LedgerRow['received'];
    return { data: rows.map(({ taxpayer, ...row }) => ({ ...row, received: receivedOf({ taxpayer, ...row }) })), total };
  }

  /** Empties the ledger and restarts its row numbers. */
  clear(): void {
    for (const table of ['registrations', 'received', 'calls', 'sqlite_sequence']) this.storage.sql(`DELETE FROM ${table}`).run();
  }

  close(): void {
    this.storage.close();
  }
}

const named = ({ taxpayer, document_number, issuer_tax_id }: Key): Record<keyof Key, string> => ({
  taxpayer,
  document_number,
  issuer_tax_id,
});
