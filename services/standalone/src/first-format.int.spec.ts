import { copyFileSync, cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { embeddedDocumentStore, type Doc } from '@svc/document-store';
import { Engine, formatOf, rewriteFirstFormat, type RewriteOptions } from '@svc/embedded';
import { embeddedEventStore } from '@svc/event-store';
import { systemClock } from '@svc/kernel';
import { rewriteDataFolder, copyingOf } from './first-format.ts';

// until 0.3

const folders = mkdtempSync(join(tmpdir(), 'svc-first-format-'));
afterAll(() => rmSync(folders, { recursive: true }));

const EVENTS = 2_500;
const metadata = { v: 1, account: 'acct_1', env: 'test', command_id: 'c_1', request_id: 'req_1', actor: { type: 'api_key', id: 'key_1' } };
const docs = Array.from({ length: 1_200 }, (_, n) => ({
  ...{ _id: `doc_${n}`, version: n + 1, account: n % 2 ? 'acct_1' : null, env: 'test' },
  ...{ key: `k${n}`, flag: n % 3 === 0, total: 12.5, note: `{"n":${n}}` },
}));

/** A folder as 0.1.0 leaves it after a `kill -9`: with a WAL. */
function folderOfFirstFormat(): string {
  const [made, folder] = [mkdtempSync(join(folders, 'made-')), mkdtempSync(join(folders, 'data-'))];
  const db = new DatabaseSync(join(made, 'data.sqlite'));
  db.exec(`PRAGMA journal_mode=WAL; PRAGMA wal_autocheckpoint=0; PRAGMA user_version=1;
    CREATE TABLE events(position INTEGER PRIMARY KEY AUTOINCREMENT, stream TEXT NOT NULL, revision INTEGER NOT NULL,
      id TEXT NOT NULL, type TEXT NOT NULL, data TEXT NOT NULL, metadata TEXT NOT NULL, recorded_at INTEGER NOT NULL);
    CREATE UNIQUE INDEX events_by_stream ON events(stream, revision);
    CREATE TABLE "svc_test.rows" (rowid INTEGER PRIMARY KEY, _id TEXT NOT NULL UNIQUE, version INTEGER NOT NULL, body TEXT NOT NULL, "f_account", "f_key");
    CREATE INDEX "svc_test.rows(account,key)" ON "svc_test.rows" ("f_account", "f_key"); BEGIN`);
  const event = db.prepare('INSERT INTO events VALUES (?, ?, ?, ?, ?, ?, ?, ?)');
  // Every third position is missing, as after appends that were rolled back.
  for (let n = 0; n < EVENTS; n += 1)
    event.run(
      n + Math.floor(n / 2) + 1,
      `tally-test.acct_1.s${n % 10}`,
      Math.floor(n / 10),
      `evt_${n}`,
      'Happened',
      `{"n":${n},"price":12345678901234567.89}`,
      JSON.stringify(metadata),
      1_000 + n,
    );
  const row = db.prepare('INSERT INTO "svc_test.rows" (_id, version, body, f_account, f_key) VALUES (?, ?, ?, ?, ?)');
  for (const doc of docs) row.run(doc._id, doc.version, JSON.stringify(doc), doc.account, doc.key);
  db.exec('COMMIT');
  cpSync(made, folder, { recursive: true });
  db.close();
  return folder;
}

async function contentOf(folder: string) {
  const engine = Engine.open(folder, { durable: false });
  try {
    const store = embeddedEventStore(engine, systemClock);
    const rows = embeddedDocumentStore(engine, 'svc_test').collection<Doc>('rows', { indexes: [{ fields: ['account', 'key'] }] });
    const streams = await Promise.all(Array.from({ length: 10 }, (_, n) => store.read(`tally-test.acct_1.s${n}`)));
    return {
      head: await store.head(),
      events: streams.flat(),
      docs: await Array.fromAsync(rows.find({})),
      found: await rows.count({ account: 'acct_1' }),
    };
  } finally {
    engine.close();
  }
}

async function checkWhole(folder: string): Promise<void> {
  const { head, events, docs: found, found: ofAccount } = await contentOf(folder);
  expect(head).toBe(BigInt(EVENTS - 1 + Math.floor((EVENTS - 1) / 2) + 1));
  expect(events).toHaveLength(EVENTS);
  for (const { id, stream, revision, position, recordedAt, metadata: of, data } of events) {
    const n = Number(id.slice(4));
    expect([stream, revision, position, recordedAt]).toEqual([
      `tally-test.acct_1.s${n % 10}`,
      BigInt(Math.floor(n / 10)),
      BigInt(n + Math.floor(n / 2) + 1),
      1_000 + n,
    ]);
    expect([of, JSON.stringify(data)]).toEqual([metadata, `{"n":${n},"price":12345678901234567.89}`]);
  }
  expect(found).toEqual(docs);
  expect(ofAccount).toBe(600);
  expect(readdirSync(folder).filter((name) => name.startsWith('data') || name === 'rewriting')).toEqual([
    'data-0.1.0.sqlite',
    'data.sqlite',
  ]);
}

const logger = { info: () => undefined };

test('a folder of 0.1.0 has the same events at the same positions, and the same documents, in today’s format', async () => {
  const folder = folderOfFirstFormat();
  const lines: string[] = [];
  await rewriteDataFolder(folder, { info: (fields, message) => lines.push(`${message} ${JSON.stringify(fields)}`) });
  expect(lines).toEqual([
    `the data folder of release 0.1.0 is rewritten; the start waits for it {"rows":${EVENTS + docs.length}}`,
    `the data folder is rewritten; the file of 0.1.0 stays as the copy to go back to, until you remove it ${JSON.stringify({
      rows: EVENTS + docs.length,
      copy: join(folder, 'data-0.1.0.sqlite'),
    })}`,
  ]);
  await checkWhole(folder);
  await rewriteDataFolder(folder, { info: (_, message) => lines.push(message) });
  expect(lines).toHaveLength(2);
  const db = new DatabaseSync(join(folder, 'data.sqlite'), { readOnly: true });
  expect(db.prepare('SELECT stream, type, json_type(metadata) AS form FROM events LIMIT 1').get()).toEqual({
    stream: '2.3.s0',
    type: '4',
    form: 'array',
  });
  expect(db.prepare('SELECT n_account, body FROM "svc_test.rows" WHERE _id = ?').get('doc_1')).toEqual({
    n_account: 3,
    body: expect.not.stringContaining('acct_1'),
  });
  db.close();
});

test('a process that ends after any turn goes on at the next start; the old file stays until the new one is whole', async () => {
  const folder = folderOfFirstFormat();
  const once = (turns: number): Promise<void> => {
    let left = turns;
    const options: RewriteOptions = {
      logger,
      copyingOf,
      now: () => 0,
      markCopy: () => undefined,
      pause: async () => {
        if ((left -= 1) < 0) throw new Error('the process ends');
      },
    };
    return rewriteFirstFormat(folder, options);
  };
  let ends = 0;
  for (const turns of [0, 0, 1, 0, 9]) await once(turns).catch(() => (ends += 1));
  expect(ends).toBe(4);
  await checkWhole(folder);
});

/** The format of a file, and whether it has what shows 0.1.0 that it has run on it. */
function copyOf(path: string) {
  const db = new DatabaseSync(path, { readOnly: true });
  const format = formatOf(db);
  const beginnings = db.prepare('SELECT count(*) AS n FROM "svc_invoicing.beginning"').get()?.['n'];
  db.close();
  return { format, beginnings };
}

test('the file of 0.1.0 stays as a copy that counts as restored, and no later copy replaces it', async () => {
  const folder = folderOfFirstFormat();
  const [path, copy] = [join(folder, 'data.sqlite'), join(folder, 'data-0.1.0.sqlite')];
  const db = new DatabaseSync(path);
  db.exec(`CREATE TABLE "svc_invoicing.beginning" (rowid INTEGER PRIMARY KEY, _id TEXT NOT NULL UNIQUE, version INTEGER NOT NULL, body TEXT NOT NULL);
    INSERT INTO "svc_invoicing.beginning" (_id, version, body) VALUES ('beginning', 1, '{"_id":"beginning","version":1}')`);
  db.close();
  await rewriteDataFolder(folder, logger);
  expect(copyOf(copy)).toEqual({ format: 1, beginnings: 0 });
  expect(copyOf(path)).toEqual({ format: 5, beginnings: 1 });

  copyFileSync(copy, path); // Who went back and upgrades again.
  await rewriteDataFolder(folder, logger);
  expect(
    readdirSync(folder)
      .filter((name) => /^data.*sqlite$/.test(name))
      .sort(),
  ).toEqual(['data-0.1.0-2.sqlite', 'data-0.1.0.sqlite', 'data.sqlite']);
  expect([copyOf(copy).format, copyOf(path).format]).toEqual([1, 5]);
});

test('a disk without enough space is said, and nothing is begun', async () => {
  const folder = folderOfFirstFormat();
  await expect(
    rewriteFirstFormat(folder, {
      logger,
      copyingOf,
      now: () => 0,
      markCopy: () => undefined,
      pause: async () => undefined,
      freeBytes: () => 0,
    }),
  ).rejects.toThrow(/must be free; there are 0 MiB/);
  expect(readdirSync(folder)).not.toContain('rewriting');
});
