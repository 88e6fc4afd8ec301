import {
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import fc from 'fast-check';
import { Engine } from '@svc/embedded';
import { FakeClock, iso, type Clock } from '@svc/kernel';
import { eventually } from '@svc/testkit';
import { makeBackup } from '../make-backup.ts';
import { basesOf } from './base.ts';
import { earlierCopy, startContinuousCopy, type ContinuousCopy } from './continuous-copy.ts';
import { changesFolder } from './copy-files.ts';
import { rangesOf } from './ranges.ts';
import { restoreTo } from './restore-to.ts';

const SECOND = 1_000;
let [root, data, backups, killed] = ['', '', '', 0];
let engine: Engine;
let clock: FakeClock;
/** How far the clock was set back. */
let back: number;
const wall: Clock = {
  now: () => clock.now() - back,
  after: (ms, fire) => clock.after(ms, fire),
  sleep: (ms, signal) => clock.sleep(ms, signal),
};
let copy: ContinuousCopy;
let errors: unknown[];
/** By second: the rows that were written before it. */
let expected: Map<number, number>;
let rows: number;
const changes = (): string => changesFolder(backups, 's1');

async function open(): Promise<void> {
  const earlier = await earlierCopy(changes(), data);
  engine = Engine.open(data, { changes: { since: earlier?.since, at: earlier?.at, clock: wall } });
  engine.define('CREATE TABLE IF NOT EXISTS t (n INTEGER PRIMARY KEY, bytes BLOB)');
  const logger = { info: () => undefined, error: ({ err }: { err: unknown }) => errors.push(err) } as never;
  copy = startContinuousCopy({
    folder: changes(),
    dataFolder: data,
    changes: engine.changes as never,
    earlier,
    files: ['secrets.json'],
    clock: wall,
    logger,
  });
}

async function begin(): Promise<void> {
  root = mkdtempSync(join(tmpdir(), 'copy-'));
  [data, backups] = [join(root, 'data'), join(root, 'backups')];
  [clock, back, errors, rows, expected] = [new FakeClock(1_000_000_500), 0, [], 0, new Map()];
  await open();
  writeFileSync(join(data, 'secrets.json'), '{"rootKey":"v1"}');
}
async function end(): Promise<void> {
  await copy.stop();
  engine.close();
  rmSync(root, { recursive: true });
}
beforeEach(begin);
afterEach(end);

async function makeBase(): Promise<void> {
  const folder = join(backups, `s1-${iso(wall.now()).slice(0, 19).replaceAll(':', '-')}Z`);
  if (!existsSync(folder)) await makeBackup({ engine, folder: data, databases: [], clock: wall }, { folder, base: copy.base });
  await copy.useBases(
    await basesOf(
      backups,
      readdirSync(backups).filter((name) => name.endsWith('Z')),
    ),
  );
}

async function write(bytes: number): Promise<void> {
  await engine.write(() => engine.sql('INSERT INTO t (bytes) VALUES (randomblob(?))').run(bytes));
  rows += 1;
}

/** Begins the next second, and waits for the copy. */
async function nextSecond(isAway = false): Promise<void> {
  await eventually(() => clock.nextAt() !== undefined, 'the end of the last step');
  const before = copy.failures();
  await clock.advance(SECOND - (wall.now() % SECOND));
  expected.set(wall.now(), rows);
  await eventually(
    () =>
      isAway ? copy.failures() > before : copy.base().chain !== '' && (copy.needsBase() || copy.newestSeconds() * SECOND === wall.now()),
    'the copy',
  );
  if (copy.needsBase() && !isAway) await makeBase();
}

/** What a killed process leaves, in another folder; `torn`: bytes that the last file of the copy lacks. */
async function kill(torn: number): Promise<void> {
  const left = join(root, `data-${(killed += 1)}`);
  cpSync(data, left, { recursive: true, filter: (path) => !path.endsWith('-shm'), preserveTimestamps: true });
  const wal = join(left, 'data.sqlite-wal');
  if (existsSync(wal)) utimesSync(wal, wall.now() / SECOND, wall.now() / SECOND);
  engine.abandon();
  await copy.stop();
  const last = join(
    changes(),
    readdirSync(changes())
      .filter((name) => name.endsWith('.pages'))
      .sort()
      .at(-1) ?? '',
  );
  if (torn > 0 && last.endsWith('.pages')) truncateSync(last, Math.max(0, statSync(last).size - torn));
  data = left;
  await open();
}

async function rowsAt(at: number): Promise<number> {
  const into = mkdtempSync(join(root, 'restored-'));
  await restoreTo({ from: backups, to: iso(at), into, databases: [] });
  const db = new DatabaseSync(join(into, 'data.sqlite'));
  expect(db.prepare('PRAGMA integrity_check').get()).toEqual({ integrity_check: 'ok' });
  const count = Number(db.prepare('SELECT count(*) AS n FROM t').get()?.['n']);
  db.close();
  return count;
}

test('a restore to any second has what was written before it, and no more', async () => {
  await nextSecond();
  for (const bytes of [100, 5_000, 900_000, 10]) {
    await write(bytes);
    await nextSecond();
    await clock.advance(300);
    await write(bytes);
  }
  await nextSecond();
  const [range] = await rangesOf(backups, 's1');
  for (const [second, count] of expected) if (second >= (range?.from ?? 0)) expect([second, await rowsAt(second)]).toEqual([second, count]);
  expect(await rowsAt((range?.to ?? 0) + 900)).toBe(rows);
});

test('a second before the base or after the end is refused with those that there are, and nothing is written', async () => {
  await nextSecond();
  await write(10);
  await nextSecond();
  await nextSecond();
  const [range] = await rangesOf(backups, 's1');
  const possible = `each second from ${iso(range?.from ?? 0)} to ${iso(range?.to ?? 0)}`;
  const into = join(root, 'into');
  for (const at of [(range?.from ?? 0) - SECOND, (range?.to ?? 0) + SECOND])
    await expect(restoreTo({ from: backups, to: iso(at), into, databases: [] })).rejects.toThrow(possible);
  await expect(restoreTo({ from: backups, to: 'yesterday', into, databases: [] })).rejects.toThrow('is no time');
  expect(existsSync(into)).toBe(false);
  await expect(restoreTo({ from: backups, into: data, databases: [] })).rejects.toThrow('has a system already');
});

test('a key that was added after the base is restored with what it encrypts', async () => {
  await nextSecond();
  writeFileSync(join(data, 'secrets.json'), '{"rootKey":"v1,v2"}');
  await write(10);
  await nextSecond();
  const into = join(root, 'into');
  await restoreTo({ from: backups, into, databases: [] });
  expect(readdirSync(into).sort()).toEqual(['data.sqlite', 'secrets.json']);
  expect(statSync(join(into, 'secrets.json')).mode & 0o777).toBe(0o600);
});

test('a folder that is away is tried again, and has everything once it is back', async () => {
  await nextSecond();
  renameSync(backups, `${backups}-away`);
  writeFileSync(backups, 'no folder');
  for (let n = 0; n < 3; n += 1) {
    await write(1_000);
    await nextSecond(true);
  }
  expect([errors.length, copy.newestSeconds() * SECOND < wall.now()]).toEqual([1, true]);
  rmSync(backups);
  renameSync(`${backups}-away`, backups);
  await nextSecond();
  for (const [second, count] of [...expected].slice(1)) expect([second, await rowsAt(second)]).toEqual([second, count]);
});

test('after a stop the copy goes on in the same chain', async () => {
  await nextSecond();
  await write(10);
  const { chain } = copy.base();
  await copy.stop();
  engine.close();
  copy.closed();
  await open();
  await copy.useBases(
    await basesOf(
      backups,
      readdirSync(backups).filter((name) => name.endsWith('Z')),
    ),
  );
  await nextSecond();
  await write(10);
  await nextSecond();
  expect([copy.base().chain, copy.needsBase(), await rowsAt(wall.now())]).toEqual([chain, false, 2]);
});

test('a copy that begins anew, since more was written than is kept in memory, has what was written since', async () => {
  await nextSecond();
  await write(10);
  await nextSecond();
  const { chain } = copy.base();
  renameSync(backups, `${backups}-away`);
  writeFileSync(backups, 'no folder');
  for (let n = 0; n < 3; n += 1) {
    await write(30_000_000);
    await engine.scrub(async () => undefined);
  }
  rmSync(backups);
  renameSync(`${backups}-away`, backups);
  for (let n = 0; n < 3; n += 1) {
    await nextSecond();
    await write(10);
  }
  await nextSecond();
  expect(copy.base().chain).not.toBe(chain);
  expect(await rowsAt(wall.now())).toBe(rows);
});

test.each(['while it runs', 'while it is stopped', 'after a kill'])(
  'a clock that is set back an hour %s: the copy begins anew at once, and a restore has the newest',
  async (when) => {
    await nextSecond();
    for (let n = 0; n < 6; n += 1) {
      await write(10);
      await nextSecond();
    }
    const { chain } = copy.base();
    if (when === 'while it is stopped') {
      await copy.stop();
      engine.close();
      copy.closed();
    }
    back = 3_600_000;
    if (when === 'while it is stopped') await open();
    if (when === 'after a kill') await kill(0);
    for (let n = 0; n < 3; n += 1) {
      await write(10);
      await nextSecond();
    }
    expect(copy.base().chain).not.toBe(chain);
    const into = join(root, 'into');
    expect(await restoreTo({ from: backups, into, databases: [] })).toMatchObject({ restored_to: iso(wall.now()) });
    expect(await rowsAt(wall.now())).toBe(rows);
    const again = copy.base().chain;
    await kill(0);
    await nextSecond();
    expect(copy.base().chain).toBe(again);
  },
);

const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('write'), size: fc.integer({ min: 1, max: 30_000 }) }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('second'), size: fc.constant(0) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('kill'), size: fc.constantFrom(0, 0, 1, 50, 5_000, 1_000_000) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('scrub'), size: fc.constant(0) }) },
);

test('whenever the process is killed, and wherever that tears a record: each second in a range has exactly what it had', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 16 }), async (steps) => {
      await end();
      await begin();
      await nextSecond();
      for (const { kind, size } of steps) {
        if (kind === 'write') await write(size);
        if (kind === 'second') await nextSecond();
        if (kind === 'scrub') await engine.scrub(async () => undefined);
        if (kind === 'kill') await kill(size).then(() => nextSecond());
      }
      for (let n = 0; n < 7; n += 1) await nextSecond();
      const ranges = await rangesOf(backups, 's1');
      expect(ranges.at(-1)?.to).toBeGreaterThan(wall.now() - 6 * SECOND);
      for (const [second, count] of expected) {
        const isIn = ranges.some(({ from, to }) => from <= second && second <= to);
        const found = await rowsAt(second).catch((error: Error) => error.message);
        if (typeof found === 'number') expect([steps, second, found, isIn]).toEqual([steps, second, count, true]);
        else if (isIn) expect(found).toContain('was killed then');
      }
    }),
    { numRuns: 15 },
  );
}, 300_000);
