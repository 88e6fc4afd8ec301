import type { Storage } from '../embedded/storage.ts';
import type { AuthorityId } from './authorities.ts';
import type { Exchanged, WireRequest } from './wire.ts';

/** Exchanges that are kept of each authority, unless they are larger than the storage may hold. The oldest go with each new one. */
const KEPT = 100_000;
/** Bytes of requests and answers on one page, which has one exchange at least. */
const PAGE_BYTES = 16 * 1024 * 1024;

const TABLES = `
  CREATE TABLE IF NOT EXISTS wire_exchanges (authority TEXT NOT NULL, n INTEGER NOT NULL, at TEXT NOT NULL, operation TEXT NOT NULL, method TEXT NOT NULL,
    path TEXT NOT NULL, request BLOB NOT NULL, response BLOB NOT NULL, status INTEGER, fault TEXT, client_certificate BLOB,
    bytes_until INTEGER NOT NULL, PRIMARY KEY (authority, n)) WITHOUT ROWID;`;
const TABLE = 'wire_exchanges';

/** Every request and its answer, byte by byte, numbered from 1 by authority without a gap. */
export class Exchanges {
  /** `bytes`: of requests and answers that are kept of each authority. */
  constructor(
    private readonly storage: Storage,
    private readonly bytes: number,
  ) {
    storage.db.exec(TABLES);
  }

  /** Records an exchange inside of a write; returns its number. */
  record(authority: AuthorityId, at: string, request: WireRequest, { operation, fault, reply }: Exchanged): number {
    const last = this.storage.sql(`SELECT n, bytes_until FROM ${TABLE} WHERE authority = ? ORDER BY n DESC LIMIT 1`).get(authority);
    const n = Number(last?.['n'] ?? 0) + 1;
    const bytes_until = Number(last?.['bytes_until'] ?? 0) + request.body.length + reply.body.length;
    this.storage.wrote(TABLE, authority);
    this.storage
      .sql(
        `INSERT INTO ${TABLE} (authority, n, at, operation, method, path, request, response, status, fault, client_certificate, bytes_until)
         VALUES (:authority, :n, :at, :operation, :method, :path, :request, :response, :status, :fault, :certificate, :bytes_until)`,
      )
      .run({
        ...{
          authority,
          n,
          bytes_until,
          at,
          operation,
          fault,
          method: request.method,
          path: request.path.slice(0, 2_000),
          request: request.body,
        },
        ...{ response: reply.body, status: reply.status, certificate: request.clientCertificate ?? null },
      });
    this.drop(authority, { n: n - KEPT, bytes: bytes_until - this.bytes });
    return n;
  }

  /** Deletes the oldest exchanges up to a number, and those with which so many bytes had come. */
  private drop(authority: AuthorityId, { n, bytes }: { n: number; bytes: number }): void {
    for (;;) {
      const oldest = this.storage.sql(`SELECT n, bytes_until FROM ${TABLE} WHERE authority = ? ORDER BY n LIMIT 1`).get(authority);
      if (!oldest || (Number(oldest['n']) > n && Number(oldest['bytes_until']) > bytes)) return;
      this.storage.sql(`DELETE FROM ${TABLE} WHERE authority = ? AND n = ?`).run(authority, Number(oldest['n']));
    }
  }

  /** Says that the answer did not leave, since the caller was gone. */
  async unsent(authority: AuthorityId, n: number): Promise<void> {
    await this.storage.write(() => {
      this.storage.wrote(TABLE, authority);
      this.storage.sql(`UPDATE ${TABLE} SET status = NULL, response = x'' WHERE authority = ? AND n = ?`).run(authority, n);
    });
  }

  /** At most `limit` exchanges after the number; fewer where they are large. `last`: the number of the newest of all. */
  async page(authority: AuthorityId, after: number, limit: number): Promise<{ data: object[]; last: number }> {
    await this.storage.settled(TABLE);
    const data: object[] = [];
    let bytes = 0;
    for (let n = after; data.length < limit && bytes < PAGE_BYTES;) {
      const row = this.storage.sql(`SELECT * FROM ${TABLE} WHERE authority = ? AND n > ? ORDER BY n LIMIT 1`).get(authority, n);
      if (!row) break;
      n = Number(row['n']);
      bytes += (row['request'] as Uint8Array).length + (row['response'] as Uint8Array).length;
      data.push(shown(row));
    }
    return { data, last: this.last(authority) };
  }

  private last(authority: AuthorityId): number {
    return (this.storage.sql(`SELECT coalesce(max(n), 0) AS n FROM ${TABLE} WHERE authority = ?`).get(authority) as { n: number }).n;
  }
}

const base64 = (value: unknown): string => Buffer.from(value as Uint8Array).toString('base64');
const shown = ({ client_certificate, request, response, bytes_until: _, ...row }: Record<string, unknown>): object => ({
  ...row,
  request: base64(request),
  response: base64(response),
  client_certificate: client_certificate === null ? null : base64(client_certificate),
  plain: null,
});
