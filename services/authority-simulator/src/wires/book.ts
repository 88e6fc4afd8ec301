import type { Storage } from '../embedded/storage.ts';
import type { AuthorityId } from './authorities.ts';

/** A registered document as `GET /ledger?authority=` shows it. */
export interface Registered {
  tax_id: string;
  number: string;
  code: string;
  /** Lower-case hex of the SHA-256 of the document's canonical form. */
  sha256: string;
  /** ISO 8601 */
  at: string;
}

/** With what the authority keeps of it besides; `key` identifies it among the documents of its taxpayer. */
export type Document<T extends object = object> = Registered & { key: string; detail: T };

const TABLES = `
  CREATE TABLE IF NOT EXISTS wire_documents (seq INTEGER PRIMARY KEY AUTOINCREMENT, authority TEXT NOT NULL, account TEXT NOT NULL, tax_id TEXT NOT NULL,
    key TEXT NOT NULL, number TEXT NOT NULL, code TEXT NOT NULL, sha256 TEXT NOT NULL, at TEXT NOT NULL, detail TEXT NOT NULL,
    UNIQUE (authority, account, tax_id, key));
  CREATE TABLE IF NOT EXISTS wire_values (authority TEXT NOT NULL, account TEXT NOT NULL, kind TEXT NOT NULL, key TEXT NOT NULL, value TEXT NOT NULL,
    PRIMARY KEY (authority, account, kind, key)) WITHOUT ROWID;`;

const COLUMNS = 'tax_id, key, number, code, sha256, at, detail';
const OWNED = 'authority = :authority AND account = :account';
const DOCUMENTS = 'wire_documents';

/**
 * What an authority knows about the taxpayers of one account: their registered documents, and values such as tills and links, as JSON by kind
 * and key. Two accounts do not see each other's, also under one tax id. Change it only inside of a write of the storage.
 */
export class Book {
  private readonly owner: { authority: string; account: string };

  constructor(
    private readonly storage: Storage,
    authority: AuthorityId,
    account: string,
  ) {
    this.owner = { authority, account };
  }

  static create(storage: Storage): void {
    storage.db.exec(TABLES);
  }

  value<T>(kind: string, key: string): T | undefined {
    const row = this.storage
      .sql(`SELECT value FROM wire_values WHERE ${OWNED} AND kind = :kind AND key = :key`)
      .get({ ...this.owner, kind, key });
    return row && (JSON.parse(String(row['value'])) as T);
  }

  setValue(kind: string, key: string, value: unknown): void {
    this.storage
      .sql('INSERT OR REPLACE INTO wire_values (authority, account, kind, key, value) VALUES (:authority, :account, :kind, :key, :value)')
      .run({ ...this.owner, kind, key, value: JSON.stringify(value) });
  }

  document<T extends object>(tax_id: string, key: string): Document<T> | undefined {
    const row = this.storage
      .sql(`SELECT ${COLUMNS} FROM ${DOCUMENTS} WHERE ${OWNED} AND tax_id = :tax_id AND key = :key`)
      .get({ ...this.owner, tax_id, key });
    return row && (documentOf(row) as Document<T>);
  }

  /** `limit` documents of a taxpayer whose keys are within the bounds, in order of their keys. */
  documents<T extends object>(tax_id: string, { from, below, limit }: { from: string; below: string; limit: number }): Document<T>[] {
    return this.storage
      .sql(
        `SELECT ${COLUMNS} FROM ${DOCUMENTS} WHERE ${OWNED} AND tax_id = :tax_id AND key > :from AND key < :below ORDER BY key LIMIT :limit`,
      )
      .all({ ...this.owner, tax_id, from, below, limit })
      .map((row) => documentOf(row) as Document<T>);
  }

  /** Registers a document, or replaces what is kept of a registered one. */
  register({ detail, ...document }: Document): void {
    this.storage.wrote(DOCUMENTS, document.key);
    this.storage
      .sql(
        `INSERT INTO ${DOCUMENTS} (authority, account, ${COLUMNS}) VALUES (:authority, :account, :tax_id, :key, :number, :code, :sha256, :at, :detail)
         ON CONFLICT (authority, account, tax_id, key) DO UPDATE SET code = excluded.code, sha256 = excluded.sha256, at = excluded.at, detail = excluded.detail`,
      )
      .run({ ...this.owner, ...document, detail: JSON.stringify(detail) });
  }
}

/** `limit` documents of all accounts after the first `after`, in order of registration. */
export function ledgerPage(storage: Storage, authority: AuthorityId, after: number, limit: number): { data: object[]; total: number } {
  const data = storage
    .sql(`SELECT ${COLUMNS} FROM ${DOCUMENTS} WHERE authority = ? ORDER BY seq LIMIT CAST(? AS INTEGER) OFFSET CAST(? AS INTEGER)`)
    .all(authority, limit, after)
    .map((row) => {
      const { key: _, detail, ...registered } = documentOf(row);
      return { ...registered, ...detail };
    });
  const total = storage.sql(`SELECT count(*) AS total FROM ${DOCUMENTS} WHERE authority = ?`).get(authority) as { total: number };
  return { data, ...total };
}

export interface Gap {
  tax_id: string;
  sequence: string;
  first: number;
  last: number;
  /** Ordinals between them that no registered document has. */
  missing: number;
}

/** Sequences whose ordinals have gaps, where an authority counts: at most 1,000. A gap may be a document that is still to come. */
export const gaps = (storage: Storage, authority: AuthorityId): Gap[] =>
  storage
    .sql(
      `SELECT tax_id, detail ->> '$.sequence' AS sequence, min(detail ->> '$.ordinal') AS first, max(detail ->> '$.ordinal') AS last,
         max(detail ->> '$.ordinal') - min(detail ->> '$.ordinal') + 1 - count(*) AS missing
       FROM ${DOCUMENTS} WHERE authority = ? AND detail ->> '$.sequence' IS NOT NULL GROUP BY account, tax_id, sequence HAVING missing > 0 LIMIT 1000`,
    )
    .all(authority) as unknown as Gap[];

/** Resolves when all registered documents are on the disk as they are read. */
export const ledgerSettled = (storage: Storage): Promise<void> => storage.settled(DOCUMENTS);

const documentOf = ({ detail, ...row }: Record<string, unknown>): Document => ({
  ...(row as unknown as Registered & { key: string }),
  detail: JSON.parse(String(detail)) as object,
});

/** Values of one kind of all accounts, in order of their keys. */
export const values = (
  storage: Storage,
  { authority, kind, after, limit }: { authority: AuthorityId; kind: string; after: number; limit: number },
): unknown[] =>
  storage
    .sql(
      'SELECT value FROM wire_values WHERE authority = ? AND kind = ? ORDER BY account, key LIMIT CAST(? AS INTEGER) OFFSET CAST(? AS INTEGER)',
    )
    .all(authority, kind, limit, after)
    .map(({ value }) => JSON.parse(String(value)) as unknown);
