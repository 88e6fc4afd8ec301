import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Engine } from './engine.ts';
import { until } from '@svc/kernel/testing/until';

const MIB = 1_048_576;
/** Each checkpoint and each slice of a scrub waited 5 s for a reader once, while nothing was written: here that came to minutes. */
const FOUR_WAITS_MS = 20_000;

let folder: string;
let engine: Engine;
let reader: ChildProcess | undefined;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'held-'));
  engine = Engine.open(folder);
  engine.define('CREATE TABLE t (n INTEGER PRIMARY KEY, bytes BLOB)');
});
afterEach(() => {
  reader?.kill('SIGKILL');
  engine.close();
  rmSync(folder, { recursive: true });
});

/** Another process that reads the live database in a transaction which it leaves open. */
async function startReader(): Promise<void> {
  const program = `const db = new (require('node:sqlite').DatabaseSync)(process.argv[1], { readOnly: true });
    db.exec('BEGIN; SELECT count(*) FROM t'); console.log('reads'); setInterval(() => undefined, 1e6)`;
  const child = spawn(process.execPath, ['--no-warnings', '-e', program, join(folder, 'data.sqlite')], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  reader = child;
  await new Promise((resolve) => child.stdout.once('data', resolve));
}
async function endReader(): Promise<void> {
  const ended = new Promise((resolve) => reader?.once('exit', resolve));
  reader?.kill('SIGKILL');
  await ended;
}
const write = (mib: number): Promise<void> =>
  engine.write(() => {
    for (let n = 0; n < mib; n += 1) engine.sql('INSERT INTO t (bytes) VALUES (randomblob(?))').run(MIB);
  });
const count = (): unknown => engine.sql('SELECT count(*) AS n FROM t').get()?.['n'];
const wal = (): number => statSync(join(folder, 'data.sqlite-wal')).size;
async function took(work: () => Promise<void>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}
test('while another process reads, writes go on and the WAL grows beyond its bound; once it has left, the WAL is emptied without a further write', async () => {
  const reported: number[] = [];
  engine.onWalHeld((bytes) => reported.push(bytes));
  const writeAll = async (): Promise<void> => {
    for (let n = 0; n < 25; n += 1) await write(4);
  };
  const alone = await took(writeAll);
  await startReader();
  const beside = await took(writeAll);
  await until(() => reported.length > 0);
  expect(wal()).toBeGreaterThan(80 * MIB);
  expect(engine.wal).toEqual({ bytes: wal(), isHeld: true });
  // Of the last try: what was written since is not in it.
  expect(reported.at(-1)).toBeGreaterThan(16 * MIB);
  expect(reported.at(-1)).toBeLessThanOrEqual(wal());
  expect(beside).toBeLessThan(alone + FOUR_WAITS_MS);

  await endReader();
  await until(() => !engine.wal.isHeld);
  expect([wal() <= 16 * MIB, count()]).toEqual([true, 200]);
  for (let n = 0; n < 10; n += 1) await write(4);
  expect(wal()).toBeLessThan(72 * MIB);
}, 120_000);

test('while another process reads, nothing is scrubbed and writes go on; the scrub ends when it has left', async () => {
  const word = Buffer.from('a-word-that-is-erased'.repeat(40));
  await engine.write(() => engine.sql('INSERT INTO t VALUES (1, ?)').run(word));
  await startReader();
  await engine.write(() => engine.sql('DELETE FROM t').run());
  let scrubbed = false;
  const scrub = engine.scrub(() => sleep(5)).then(() => (scrubbed = true));
  const beside = await took(async () => {
    for (let n = 0; n < 50; n += 1) await write(1).then(() => sleep(5));
  });
  expect([scrubbed, count()]).toEqual([false, 50]);
  expect(beside).toBeLessThan(FOUR_WAITS_MS);

  await endReader();
  await scrub;
  const all = readdirSync(folder).map((name) => readFileSync(join(folder, name)));
  expect(all.filter((bytes) => bytes.includes('a-word-that-is-erased'))).toEqual([]);
}, 120_000);
