import { spawn } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, rmSync, statSync, writeFileSync, writeSync } from 'node:fs';
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

  test('caches the last thousand statements', () => {
    const first = engine.sql('SELECT 0');
    expect(engine.sql('SELECT 0')).toBe(first);
    for (let n = 1; n <= 1_000; n += 1) engine.sql(`SELECT ${n}`);
    expect(engine.sql('SELECT 0')).not.toBe(first);
    expect(first.get()).toEqual({ 0: 0 });
  });

  test('shows a write to readers after its commit', async () => {
    const written = add(1);
    expect(stored()).toEqual([]);
    await written;
    expect(stored()).toEqual([1]);
  });

  test('runs writes that start from a write in the next turn', async () => {
    let inner: Promise<number> | undefined;
    await engine.write(() => {
      inner = add(2);
    });
    expect(await inner).toBe(2);
  });

  test('rejects all writes of a turn that SQLite rolled back, stores none, and continues with the next', async () => {
    const diskFull = engine.write((db) => {
      db.sql('ROLLBACK').run(); // As SQLite does before it throws.
      throw new Error('disk full');
    });
    const lost = await Promise.allSettled([add(1), diskFull, add(2)]);
    expect(lost.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
    expect(stored()).toEqual([]);
    await add(3);
    expect(stored()).toEqual([3]);
  });

  const pages = (most: number) => engine.write((db) => db.sql(`PRAGMA max_page_count = ${most}`).get());
  const unavailable = (why: string) => expect.objectContaining({ name: 'DataFolderUnavailable', statusCode: 503, message: why }) as unknown;

  test('on a full disk rejects pending writes as not done, keeps acknowledged ones, and continues when there is room', async () => {
    engine.define('CREATE TABLE large (n INTEGER PRIMARY KEY, bytes BLOB)');
    const put = (n: number) => engine.write((db) => db.sql('INSERT INTO large VALUES (?, zeroblob(100000))').run(n));
    const kept = (): unknown[] => engine.sql('SELECT n FROM large').all();
    const reported: string[] = [];
    engine.onDiskFailure(({ message }) => void reported.push(message));
    await put(1);
    expect(await engine.check()).toBe(true);
    await pages(30);
    const lost = await Promise.allSettled([add(1), put(2), add(2)]);
    const why = `the data folder ${folder} is on a disk that is full`;
    expect(lost.map((end) => end.status === 'rejected' && (end.reason as unknown))).toEqual(Array(3).fill(unavailable(why)));
    expect(reported).toEqual([why]);
    expect([kept(), stored()]).toEqual([[{ n: 1 }], []]);
    await pages(1_000_000);
    await put(2);
    expect(await engine.check()).toBe(true);
    engine.close();
    engine = Engine.open(folder);
    expect(kept()).toEqual([{ n: 1 }, { n: 2 }]);
  });

  test('reports a damaged file on every read and write until it is restored', async () => {
    engine.define('CREATE TABLE large (n INTEGER PRIMARY KEY, bytes BLOB)');
    await engine.write((db) =>
      db
        .sql(
          'WITH RECURSIVE s(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM s WHERE n < 500) INSERT INTO large SELECT n, zeroblob(3000) FROM s',
        )
        .run(),
    );
    engine.close();
    const file = openSync(join(folder, 'data.sqlite'), 'r+');
    writeSync(file, Buffer.alloc(40 * 4096, 0xa5), 0, 40 * 4096, 8 * 4096);
    closeSync(file);
    engine = Engine.open(folder);
    const damage = unavailable(`the data folder ${folder} has a damaged file: stop the process and restore data.sqlite from a backup`);
    expect(() => engine.sql('SELECT sum(length(bytes)) FROM large').get()).toThrow(damage as Error);
    expect(await engine.check()).toContain('damaged');
    await expect(engine.write((db) => db.sql('UPDATE large SET bytes = NULL').run())).rejects.toEqual(damage);
    await add(1);
    expect(await engine.check()).toContain('damaged');
    engine.close();
    writeFileSync(join(folder, 'data.sqlite'), 'no database at all, whatever it is');
    expect(() => Engine.open(folder)).toThrow(damage as Error);
    rmSync(join(folder, 'data.sqlite'));
    engine = Engine.open(folder);
  });

  test('defines all tables or none', () => {
    expect(() => engine.define('CREATE TABLE half (n); CREATE TABLE t (n)')).toThrow('exists');
    expect(() => engine.sql('SELECT * FROM half')).toThrow('half');
    engine.define('CREATE TABLE half (n)');
  });

  test('commits pending writes on close and rejects later ones', async () => {
    const waiting = add(1);
    engine.close();
    expect(await waiting).toBe(1);
    await expect(add(2)).rejects.toThrow('closed');
    engine = Engine.open(folder);
    expect(stored()).toEqual([1]);
  });

  test('loses uncommitted writes when it is abandoned, and never acknowledges them', async () => {
    await add(1);
    let answered = false;
    void add(2).finally(() => (answered = true));
    engine.abandon();
    await new Promise((resolve) => setImmediate(resolve));
    expect(answered).toBe(false);
    engine = Engine.open(folder);
    expect(stored()).toEqual([1]);
  });

  test('allows one opener per folder', () => {
    expect(() => Engine.open(folder)).toThrow('another process uses the data folder');
    engine.close();
    engine = Engine.open(folder);
  });

  test('makes its files unreadable for other users', () => {
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    expect(statSync(join(folder, 'data.sqlite')).mode & 0o777).toBe(0o600);
  });

  test('refuses a newer format and unlocks the folder', () => {
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

  test('a copy ends although writes and checkpoints go on, and has the rows of one moment', async () => {
    engine.define('CREATE TABLE large (n INTEGER PRIMARY KEY, bytes BLOB)');
    let n = 0;
    const put = (): Promise<unknown> =>
      engine.write((db) => {
        for (let m = 0; m < 10; m += 1) db.sql('INSERT INTO large VALUES (?, zeroblob(100000))').run((n += 1));
      });
    for (let round = 0; round < 40; round += 1) await put();
    let isCopied = false;
    const copied = engine.copyTo(join(folder, '..', 'copy.sqlite')).then(() => (isCopied = true));
    const rounds = n / 10 + 1_000;
    while (!isCopied && n / 10 < rounds) await put();
    expect(isCopied).toBe(true);
    await copied;
    const copy = new DatabaseSync(join(folder, '..', 'copy.sqlite'));
    const { rows, last } = copy.prepare('SELECT count(*) AS rows, max(n) AS last FROM large').get() as { rows: number; last: number };
    expect([rows, rows % 10]).toEqual([last, 0]);
    copy.close();
  });

  test('a copy that cannot be written is no failure of the data folder', async () => {
    const failures: Error[] = [];
    engine.onDiskFailure((error) => failures.push(error));
    await expect(engine.copyTo(join(folder, 'none', 'copy.sqlite'))).rejects.toMatchObject({ code: 'ERR_SQLITE_ERROR' });
    expect([await engine.check(), failures]).toEqual([true, []]);
  });

  test('loses no acknowledged write when the process is killed', async () => {
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
      [
        '--disable-warning=ExperimentalWarning',
        '--experimental-transform-types',
        '--conditions=@svc/source',
        '--input-type=module',
        '-e',
        script,
      ],
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
