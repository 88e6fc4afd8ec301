import { closeSync, copyFileSync, cpSync, existsSync, mkdtempSync, openSync, rmSync, statSync, truncateSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import fc from 'fast-check';
import { Engine } from '../engine.ts';
import { changedPages } from './wal-file.ts';
import type { WalPosition } from './spans.ts';
import type { WalChanges } from './wal-changes.ts';

const DDL = 'CREATE TABLE IF NOT EXISTS t (n INTEGER PRIMARY KEY, bytes BLOB); CREATE INDEX IF NOT EXISTS t_bytes ON t(bytes)';
let root: string;
let folder: string;
let engine: Engine;
let now: number;
let killed = 0;
/** The end of the copy. */
let since: WalPosition | 'closed' | undefined;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'changes-'));
  folder = join(root, 'data');
  [now, since] = [1_000_000, undefined];
});
afterEach(() => {
  engine.close();
  rmSync(root, { recursive: true });
});

function open(most?: number): void {
  engine = Engine.open(folder, { changes: { since, clock: { now: () => now }, ...(most !== undefined && { most }) } });
  engine.define(DDL);
}
/** The database as the last stop left it: where it is another one, a copy that was whole then is not any more. */
let stopped = '';
const databaseOf = (): string => {
  const { mtimeNs, size } = statSync(join(folder, 'data.sqlite'), { bigint: true });
  return `${mtimeNs} ${size}`;
};
/** The files as they are, as a killed process leaves them, in another folder. */
function kill(): void {
  if (since === 'closed' && databaseOf() !== stopped) since = undefined;
  const left = join(root, `data-${(killed += 1)}`);
  cpSync(folder, left, { recursive: true, filter: (path) => !path.endsWith('-shm') });
  engine.abandon();
  folder = left;
}
const changes = (): WalChanges => engine.changes as WalChanges;
const replica = (): string => join(root, 'replica.sqlite');

async function begin(): Promise<void> {
  changes().begin();
  rmSync(replica(), { force: true });
  await engine.copyTo(replica());
}

/** Writes the changes so far into the copy. Returns the seconds that they end. */
async function take(): Promise<number[]> {
  const seconds: number[] = [];
  changes().mark();
  let size = 0;
  const file = openSync(replica(), 'r+');
  for (let next = await changes().next(); next; next = await changes().next()) {
    const { pages, total } = changedPages(next.frames, changes().pageSize);
    for (const [n, page] of pages) writeSync(file, page, 0, page.length, (n - 1) * changes().pageSize);
    size = total || size;
    if (next.span.at !== undefined) seconds.push(next.span.at);
    since = next.span.position;
    changes().done(next.span);
  }
  closeSync(file);
  if (size > 0) truncateSync(replica(), size * changes().pageSize); // the last span ends with a commit
  return seconds;
}

function rowsOf(path: string): unknown {
  const db = new DatabaseSync(path);
  try {
    expect(db.prepare('PRAGMA integrity_check').get()).toEqual({ integrity_check: 'ok' });
    return db
      .prepare('SELECT count(*) AS count, sum(n) AS sum, sum(length(bytes)) AS bytes, max(hex(substr(bytes, 1, 8))) AS first FROM t')
      .get();
  } finally {
    db.close();
  }
}
const copied = (): unknown => {
  const path = join(root, 'opened.sqlite');
  copyFileSync(replica(), path);
  return rowsOf(path);
};
const written = (): unknown =>
  engine.sql('SELECT count(*) AS count, sum(n) AS sum, sum(length(bytes)) AS bytes, max(hex(substr(bytes, 1, 8))) AS first FROM t').get();

const insert = (bytes: number): Promise<unknown> =>
  engine.write(() => engine.sql('INSERT INTO t (bytes) VALUES (randomblob(?))').run(bytes));
const remove = (): Promise<unknown> => engine.write(() => engine.sql('DELETE FROM t WHERE n % 3 = 0').run());

/** What happens to a database that is copied. */
const step = fc.oneof(
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('insert' as const), bytes: fc.integer({ min: 1, max: 40_000 }) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('insert' as const), bytes: fc.constant(9_000_000) }) },
  ...(['remove', 'take', 'take', 'scrub', 'kill', 'stop'] as const).map((kind) => ({
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant(kind), bytes: fc.constant(0) }),
  })),
);

async function run({ kind, bytes }: { kind: string; bytes: number }): Promise<void> {
  now += 700;
  if (kind === 'insert') await insert(bytes);
  if (kind === 'remove') await remove();
  if (kind === 'take') await take();
  if (kind === 'scrub') await engine.scrub(async () => undefined);
  if (kind === 'kill') kill();
  if (kind === 'stop') {
    await take();
    engine.close();
    since = changes().endedComplete && !existsSync(join(folder, 'data.sqlite-wal')) ? 'closed' : undefined;
  }
  if (kind === 'stop') stopped = databaseOf();
  if (kind !== 'kill' && kind !== 'stop') return;
  open();
  if (changes().isBroken) await begin();
}

test('the copy has what the database has, whatever is written, removed, checkpointed, scrubbed, killed and stopped', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 25 }), async (steps) => {
      folder = join(root, `data-${(killed += 1)}`);
      since = undefined;
      now = Date.now() + 60_000; // later than the files that are left: seconds never go back
      open();
      await begin();
      for (const one of steps) await run(one);
      now += 1_000;
      if (changes().isBroken) await begin(); // there was more than is kept in memory
      await take();
      expect(copied()).toEqual(written());
      engine.close();
    }),
    { numRuns: 12 },
  );
}, 300_000);

test('each second ends with a span that has what was committed before it, and nothing later', async () => {
  open();
  await begin();
  const counts = new Map<number, unknown>();
  for (const ms of [300, 300, 600, 1_900, 100]) {
    now += ms;
    await insert(10);
    for (const second of await take()) counts.set(second, (copied() as { count: number }).count);
  }
  // At 1,000,300 and 1,000,600; at 1,001,200; at 1,003,100 and 1,003,200.
  expect([...counts]).toEqual([
    [1_001_000, 2],
    [1_003_000, 3],
  ]);
  now += 1_000;
  expect(await take()).toEqual([1_004_000]);
  now += 5_000;
  expect([await take(), changes().mark()]).toEqual([[], 1_009_000]);
});

test('what was not taken when the process was killed is taken at the next start, with the second of the last write', async () => {
  now = Date.now() + 1_000;
  open();
  await begin();
  await insert(10);
  now += 1_000;
  await take();
  await insert(20);
  kill();
  const { mtimeMs } = statSync(join(folder, 'data.sqlite-wal'));
  open();
  expect(changes().continues).toBe(true);
  expect((await take())[0]).toBe(Math.ceil(mtimeMs / 1_000) * 1_000);
  expect(copied()).toEqual(written());
});

test.each([
  ['another process has written the database since', () => Engine.open(folder).close()],
  ['the WAL has lost what was copied', () => truncateSync(join(folder, 'data.sqlite-wal'), 32 + 4_120)],
])('%s: the copy does not go on', async (_what, happens) => {
  open();
  await begin();
  await insert(10);
  now += 1_000;
  await take();
  kill();
  happens();
  open();
  expect([changes().continues, changes().isBroken, changes().mark()]).toEqual([false, true, 0]);
  await begin();
  await insert(10);
  now += 1_000;
  await take();
  expect(copied()).toEqual(written());
});

test('what is not taken for long is kept within its bound in memory, beyond which the copy is broken and writes go on', async () => {
  open(1_000_000);
  await begin();
  await insert(400_000);
  await engine.scrub(async () => undefined);
  expect(changes().isBroken).toBe(false);
  await insert(400_000);
  await engine.scrub(async () => undefined);
  expect([changes().isBroken, await changes().next()]).toEqual([true, undefined]);
  await begin();
  await insert(10);
  now += 1_000;
  await take();
  expect(copied()).toEqual(written());
});
