import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { DatabaseSync } from 'node:sqlite';
import { Engine } from './engine.ts';
import { FORMAT } from './format.ts';

describe('the embedded engine', () => {
  let folder: string;
  let engine: Engine;

  beforeEach(() => {
    folder = join(mkdtempSync(join(tmpdir(), 'engine-')), 'data');
    engine = Engine.open(folder);
    engine.define('CREATE TABLE t (n INTEGER PRIMARY KEY)');
  });
  afterEach(() => {
    engine.close();
    rmSync(join(folder, '..'), { recursive: true });
  });

  const add = (n: number): Promise<number> =>
    engine.write((db) => {
      if (db.sql('SELECT n FROM t WHERE n = ?').get(n)) throw new Error(`${n} is there`);
      db.sql('INSERT INTO t VALUES (?)').run(n);
      return n;
    });
  const stored = (): number[] => (engine.sql('SELECT n FROM t ORDER BY n').all() as { n: number }[]).map(({ n }) => n);

  test('commits all writes of a turn at once, in order, each seeing those before it', async () => {
    const before = { ...engine.counters };
    const answers = await Promise.allSettled([add(1), add(2), add(1), add(3)]);
    expect(answers.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'fulfilled']);
    expect(stored()).toEqual([1, 2, 3]);
    expect(engine.counters).toEqual({ commits: before.commits + 1, writes: before.writes + 4 });
  });

  test('keeps the last thousand statements, however many texts there are', () => {
    const first = engine.sql('SELECT 0');
    expect(engine.sql('SELECT 0')).toBe(first);
    for (let n = 1; n <= 1_000; n += 1) engine.sql(`SELECT ${n}`);
    expect(engine.sql('SELECT 0')).not.toBe(first);
    expect(first.get()).toEqual({ 0: 0 });
  });

  test('shows a write to readers when it is committed, not before', async () => {
    const written = add(1);
    expect(stored()).toEqual([]);
    await written;
    expect(stored()).toEqual([1]);
  });

  test('takes writes that come out of a write into the next turn', async () => {
    let inner: Promise<number> | undefined;
    await engine.write(() => {
      inner = add(2);
    });
    expect(await inner).toBe(2);
  });

  test('tells everybody of a turn that SQLite gave up, stores nothing of it, and goes on with the next', async () => {
    const diskFull = engine.write((db) => {
      db.sql('ROLLBACK').run(); // what SQLite does by itself before it throws
      throw new Error('disk full');
    });
    const lost = await Promise.allSettled([add(1), diskFull, add(2)]);
    expect(lost.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
    expect(stored()).toEqual([]);
    await add(3);
    expect(stored()).toEqual([3]);
  });

  test('declares all of its tables or none', () => {
    expect(() => engine.define('CREATE TABLE half (n); CREATE TABLE t (n)')).toThrow('exists');
    expect(() => engine.sql('SELECT * FROM half')).toThrow('half');
    engine.define('CREATE TABLE half (n)');
  });

  test('commits what waits when it closes, and refuses what comes after', async () => {
    const waiting = add(1);
    engine.close();
    expect(await waiting).toBe(1);
    await expect(add(2)).rejects.toThrow('closed');
    engine = Engine.open(folder);
    expect(stored()).toEqual([1]);
  });

  test('loses what was not committed when it is abandoned, and never answers it', async () => {
    await add(1);
    let answered = false;
    void add(2).finally(() => (answered = true));
    engine.abandon();
    await new Promise((resolve) => setImmediate(resolve));
    expect(answered).toBe(false);
    engine = Engine.open(folder);
    expect(stored()).toEqual([1]);
  });

  test('keeps its folder for one opener', () => {
    expect(() => Engine.open(folder)).toThrow('another process uses the data folder');
    engine.close();
    engine = Engine.open(folder);
  });

  test('keeps its files from other users', () => {
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    expect(statSync(join(folder, 'data.sqlite')).mode & 0o777).toBe(0o600);
  });

  test('refuses a newer format, and lets the folder go', () => {
    engine.close();
    const setFormat = (format: number): void => {
      const db = new DatabaseSync(join(folder, 'data.sqlite'));
      db.exec(`PRAGMA user_version=${format}`);
      db.close();
    };
    setFormat(FORMAT + 1);
    expect(() => Engine.open(folder)).toThrow(`format ${FORMAT + 1}`);
    setFormat(FORMAT);
    engine = Engine.open(folder);
  });

  test('loses nothing that it has answered when the process is killed', async () => {
    engine.close();
    const script = `
      import { Engine } from ${JSON.stringify(new URL('./engine.ts', import.meta.url).href)};
      import { writeSync } from 'node:fs';
      const engine = Engine.open(${JSON.stringify(folder)});
      for (let n = 1; ; n += 3)
        for (const done of await Promise.all([n, n + 1, n + 2].map((m) => engine.write((db) => (db.sql('INSERT INTO t VALUES (?)').run(m), m)))))
          writeSync(1, done + '\\n');`;
    const child = spawn(
      process.execPath,
      ['--disable-warning=ExperimentalWarning', '--experimental-transform-types', '--input-type=module', '-e', script],
      {
        stdio: ['ignore', 'pipe', 'inherit'],
      },
    );
    const answered: number[] = [];
    for await (const line of createInterface({ input: child.stdout })) {
      answered.push(Number(line));
      if (answered.length === 100) child.kill('SIGKILL');
    }
    engine = Engine.open(folder);
    expect(answered.length).toBeGreaterThanOrEqual(100);
    expect(stored().slice(0, answered.length)).toEqual(answered);
  });
});
