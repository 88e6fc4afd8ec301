import type { DatabaseSync } from 'node:sqlite';

/** The current format, stored in SQLite's `user_version`. A change of a table's shape increments it and adds a migration. */
export const FORMAT = 5;

const migrations: Record<number, string> = {
  // 0 → 1: an empty file. Ports define their own tables.
  1: '',
  // 1 → 2: documents hold in their JSON only what no column holds. Older rows are read as they are.
  2: '',
  // 2 → 3: texts may be packed; those of before are read as they are. Indexes that have become partial are built anew, and those that are no longer declared go.
  3: [
    'CREATE TABLE phrases(code INTEGER PRIMARY KEY, phrase TEXT NOT NULL UNIQUE)',
    ...[
      ...[
        '(due_at)',
        '(status,endpoint_id,due_at)',
        '(endpoint_id,_id)',
        '(endpoint_id,status,_id)',
        '(endpoint_id,event_type,_id)',
        '(subject)',
      ].map((fields) => `svc_webhooks.deliveries${fields}`),
      ...['(due_at)', '(authority,env,waits_for,waits_since,due_at)'].map((fields) => `svc_fiscal_submission.submissions${fields}`),
      'svc_reporting.facts_v1(account,env,voided_on,_id)',
    ].map((index) => `DROP INDEX IF EXISTS "${index}"`),
  ].join(';'),
  // 3 → 4: tables that are made from now on have codes in place of names; those of before keep theirs. The two codes that SQLite stores in no byte are the most frequent.
  4: "CREATE TABLE names(code INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE); INSERT INTO names VALUES (0, 'live'), (1, 'test')",
  // 4 → 5: events have codes in place of names, and short metadata; those of before are read as they are.
  5: '',
};

export function migrate(db: DatabaseSync): void {
  const { user_version: found } = db.prepare('PRAGMA user_version').get() as { user_version: number };
  if (found > FORMAT)
    throw new Error(
      `the data folder has format ${found}, this version knows ${FORMAT}: start the newer version that made it, or choose another DATA_DIR`,
    );
  for (let to = found + 1; to <= FORMAT; to += 1) db.exec(`BEGIN; ${migrations[to] ?? ''}; PRAGMA user_version=${to}; COMMIT`);
}
