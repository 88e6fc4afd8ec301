import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { GroupCommit, type GroupCommitOptions } from '@svc/embedded';

/** What identifies a document: its number and issuer. */
export interface Key {
  document_number: string;
  issuer_tax_id: string;
}

export interface Registration extends Key {
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
    code TEXT NOT NULL, record_sha256 TEXT NOT NULL, registered_at TEXT NOT NULL, voided_at TEXT, UNIQUE (document_number, issuer_tax_id));
  CREATE TABLE IF NOT EXISTS received (seq INTEGER PRIMARY KEY, document_number TEXT NOT NULL, issuer_tax_id TEXT NOT NULL, at TEXT NOT NULL, record_sha256 TEXT NOT NULL);
  CREATE INDEX IF NOT EXISTS received_of ON received (document_number, issuer_tax_id);
  CREATE TABLE IF NOT EXISTS calls (document_number TEXT NOT NULL, issuer_tax_id TEXT NOT NULL, simulate TEXT NOT NULL, count INTEGER NOT NULL,
    PRIMARY KEY (document_number, issuer_tax_id, simulate))`;

const COLUMNS = 'document_number, issuer_tax_id, code, record_sha256, registered_at, voided_at';
const SAME = 'document_number = :document_number AND issuer_tax_id = :issuer_tax_id';

const REGISTRATIONS = 'registrations';

/**
 * The authority's ledger in a file of its own (SQLite). Call changing methods only inside `write`, whose promise resolves once the change is on
 * disk; await `settled` before reading outside of it.
 */
export class Ledger {
  private readonly db: DatabaseSync;
  private readonly commits: GroupCommit;
  private readonly statements = new Map<string, StatementSync>();

  /** `sync: null`: nothing is synced, as in a file `:memory:`. */
  constructor(file: string, options: Pick<GroupCommitOptions, 'sync'> = {}) {
    this.db = new DatabaseSync(file);
    this.commits = new GroupCommit(this.db, { path: file, ...options });
    this.db.exec(TABLES);
  }

  write<T>(work: () => T): Promise<T> {
    return this.commits.write(work);
  }

  /** Resolves when all registrations are on the disk as they are read. */
  async settled(): Promise<void> {
    await this.commits.syncOf(REGISTRATIONS);
  }

  find(key: Key): Registration | undefined {
    return this.sql(`SELECT ${COLUMNS} FROM registrations WHERE ${SAME}`).get(named(key)) as Registration | undefined;
  }

  register(row: Omit<Registration, 'voided_at'>): Registration {
    this.commits.wrote(REGISTRATIONS, row.document_number);
    this.sql(
      `INSERT INTO registrations (document_number, issuer_tax_id, code, record_sha256, registered_at)
       VALUES (:document_number, :issuer_tax_id, :code, :record_sha256, :registered_at)`,
    ).run({ ...row });
    return { ...row, voided_at: null };
  }

  void(key: Key, at: string): void {
    this.commits.wrote(REGISTRATIONS, key.document_number);
    this.sql(`UPDATE registrations SET voided_at = :at WHERE ${SAME} AND voided_at IS NULL`).run({ ...named(key), at });
  }

  receive(key: Key, at: string, sha256: string): void {
    this.sql(
      'INSERT INTO received (document_number, issuer_tax_id, at, record_sha256) VALUES (:document_number, :issuer_tax_id, :at, :sha256)',
    ).run({
      ...named(key),
      at,
      sha256,
    });
  }

  /** Forgets submissions after a rejection: the next may be another record. */
  forget(key: Key): void {
    this.sql(`DELETE FROM received WHERE ${SAME}`).run(named(key));
  }

  /** Counts a call for the document under this script; returns the number of earlier ones. */
  count(key: Key, simulate: string): number {
    const { count } = this.sql(
      `INSERT INTO calls (document_number, issuer_tax_id, simulate, count) VALUES (:document_number, :issuer_tax_id, :simulate, 1)
       ON CONFLICT DO UPDATE SET count = count + 1 RETURNING count`,
    ).get({ ...named(key), simulate }) as { count: number };
    return count - 1;
  }

  /** `limit` rows after the first `after`, in order of registration. */
  page(after: number, limit: number): { data: LedgerRow[]; total: number } {
    const rows = this.sql(`SELECT ${COLUMNS} FROM registrations WHERE seq > ? ORDER BY seq LIMIT ?`).all(
      after,
      limit,
    ) as unknown as Registration[];
    const { total } = this.sql('SELECT count(*) AS total FROM registrations').get() as { total: number };
    const received = this.sql(`SELECT at, record_sha256 FROM received WHERE ${SAME} ORDER BY seq LIMIT 1000`);
    return { data: rows.map((row) => ({ ...row, received: received.all(named(row)) as unknown as LedgerRow['received'] })), total };
  }

  /** Empties the ledger and restarts its row numbers. */
  clear(): void {
    for (const table of ['registrations', 'received', 'calls', 'sqlite_sequence']) this.sql(`DELETE FROM ${table}`).run();
  }

  close(): void {
    this.commits.close();
    this.statements.clear();
    this.db.close();
  }

  private sql(text: string): StatementSync {
    const known = this.statements.get(text);
    if (known) return known;
    const made = this.db.prepare(text);
    this.statements.set(text, made);
    return made;
  }
}

const named = ({ document_number, issuer_tax_id }: Key): { document_number: string; issuer_tax_id: string } => ({
  document_number,
  issuer_tax_id,
});
