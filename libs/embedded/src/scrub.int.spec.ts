import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Engine } from './engine.ts';

let folder: string;
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'scrub-'))));
afterEach(() => rmSync(folder, { recursive: true }));

const ROWS = 1_200;
/** Found nowhere but in the row `n`. */
const words = Array.from({ length: ROWS + 1 }, (_, n) => `word-${createHash('sha256').update(`${n}`).digest('hex').slice(0, 20)}`);
const word = (n: number): string => words[n] as string;
const WORD = /word-[0-9a-f]{20}/g;
const digest = (n: number): number => parseInt(word(n).slice(5, 11), 16);

/** Rows of a table with indexes of text, in the order of no index, half of them changed twice, and a third deleted in the end. */
const fill = (n: number): [string, string, number][] => [
  [`row ${word(n)}`, `body ${'x'.repeat(digest(n) % 6_000)} ${word(n)}`, n],
  [`row ${word(n)}`, `body ${'y'.repeat(digest(n + 1) % 9_000)} ${word(n)}`, n],
];
const isGone = (n: number): boolean => digest(n) % 3 === 0;
const SCHEMA = 'CREATE TABLE t(id INTEGER PRIMARY KEY, name TEXT, body TEXT); CREATE INDEX i ON t(name); CREATE INDEX j ON t(body)';

/** The words of deleted rows that a file of the folder has. It opens and closes the database, whose locks in this process are lost. */
function found(): number {
  const all = new Set(readdirSync(folder).flatMap((name) => readFileSync(join(folder, name), 'latin1').match(WORD) ?? []));
  return words.filter((one, n) => isGone(n) && all.has(one)).length;
}

async function fillAndDelete(engine: Engine): Promise<void> {
  for (let n = 0; n < ROWS; n += 1) {
    const [first, second] = fill(n) as [[string, string, number], [string, string, number]];
    await engine.write(() => {
      engine.sql('INSERT INTO t(name, body, id) VALUES (?, ?, ?)').run(...first);
      if (n % 2 === 0) engine.sql('UPDATE t SET name = ?, body = ? WHERE id = ?').run(...second);
    });
  }
  await engine.write(() => {
    for (let n = 0; n < ROWS; n += 1) if (isGone(n)) engine.sql('DELETE FROM t WHERE id = ?').run(n);
  });
}

const addRows = (engine: Engine, count: number): Promise<void> =>
  engine.write(() => {
    for (let n = 0; n < count; n += 1) engine.sql('INSERT INTO t(name, body) VALUES (?, ?)').run('new', 'z'.repeat(5_000));
  });
const rows = (engine: Engine): unknown[] => engine.sql('SELECT * FROM t ORDER BY id').all();
const isIntact = (engine: Engine): boolean => engine.sql('PRAGMA integrity_check').get()?.['integrity_check'] === 'ok';
const atOnce = async (): Promise<void> => undefined;

test.each([true, false])(
  'after scrubbing, no file has anything of deleted and changed rows; the others are as before (durable: %s)',
  async (durable) => {
    const engine = Engine.open(folder, { durable });
    engine.define(SCHEMA);
    await fillAndDelete(engine);
    await addRows(engine, 300); // in freed pages, of which they use a part
    const before = rows(engine);
    expect(found()).toBeGreaterThan(0); // in the WAL, and where rows were moved between pages
    await engine.scrub(atOnce);
    expect(found()).toBe(0);
    expect([rows(engine), isIntact(engine)]).toEqual([before, true]);
    engine.close();
    expect(found()).toBe(0);
  },
);

test('also what was left by a connection that did not overwrite deleted rows, and what is written during and after it stays', async () => {
  Engine.open(folder).close();
  const old = new DatabaseSync(join(folder, 'data.sqlite'));
  old.exec(`${SCHEMA}; PRAGMA secure_delete=OFF`);
  for (let n = 0; n < ROWS; n += 1)
    old.prepare('INSERT INTO t(name, body, id) VALUES (?, ?, ?)').run(...(fill(n)[0] as [string, string, number]));
  for (let n = 0; n < ROWS; n += 1) if (n % 2 === 0 && isGone(n)) old.prepare('DELETE FROM t WHERE id = ?').run(n);
  // In pages that the same transaction frees, which keep what long rows do not use.
  old.exec('BEGIN');
  for (let n = 0; n < ROWS; n += 1)
    if (n % 2 === 1 && isGone(n)) old.prepare("UPDATE t SET name = 'new', body = ? WHERE id = ?").run('w'.repeat(4_200 + 20 * n), n);
  old.exec('COMMIT');
  old.close();
  expect(found()).toBeGreaterThan(300);

  const engine = Engine.open(folder);
  const before = rows(engine); // pages in memory
  const highest = engine.sql('SELECT max(id) AS id FROM t').get()?.['id'] as number;
  let added = highest + 1;
  const add = () => engine.write(() => engine.sql('INSERT INTO t(name, body, id) VALUES (?, ?, ?)').run('new', 'z'.repeat(3_000), added++));
  const writing: Promise<unknown>[] = [];
  await engine.scrub(async () => void writing.push(add(), add()));
  await Promise.all(writing);
  for (let n = 0; n < 300; n += 1) await add();
  expect(found()).toBe(0);
  expect([isIntact(engine), engine.sql('SELECT * FROM t WHERE id <= ? ORDER BY id').all(highest)]).toEqual([true, before]);
  expect(engine.sql('SELECT count(*) AS n FROM t WHERE id > ?').get(highest)?.['n']).toBe(added - highest - 1);
  engine.close();
  expect(found()).toBe(0);
});

test('a scrub goes on when a copy has ended', async () => {
  const engine = Engine.open(folder);
  engine.define(SCHEMA);
  await fillAndDelete(engine);
  await Promise.all([engine.copyTo(join(folder, 'copy')), engine.scrub(atOnce)]);
  rmSync(join(folder, 'copy'));
  expect([found(), isIntact(engine)]).toEqual([0, true]);
  engine.close();
});

test('another process cannot take the database over, which a lost lock would let it', async () => {
  const engine = Engine.open(folder);
  await engine.scrub(atOnce);
  const program = `new (require('node:sqlite').DatabaseSync)(process.argv[1]).prepare('PRAGMA journal_mode=DELETE').get()`;
  const other = spawnSync(process.execPath, ['-e', program, join(folder, 'data.sqlite')], { timeout: 10_000 });
  expect(other.stderr.toString()).toContain('database is locked');
  engine.close();
});
