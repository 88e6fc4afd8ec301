import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { GroupCommit, type Sync } from './group-commit.ts';
import { until } from '@svc/kernel/testing/until';

const MIB = 1_048_576;

describe('group commit', () => {
  let path: string;
  let db: DatabaseSync;
  let commits: GroupCommit;
  /** Syncs under way, in the order of their start; each ends when its function is called. */
  let syncs: ((error?: Error) => void)[];
  const held: Sync = (_fd, done) => void syncs.push((error) => done(error ?? null));

  const open = (sync?: Sync): void => {
    db = new DatabaseSync(path);
    commits = new GroupCommit(db, { path, ...(sync && { sync }) });
    db.exec('CREATE TABLE IF NOT EXISTS t (n INTEGER PRIMARY KEY, bytes BLOB)');
  };
  beforeEach(() => {
    syncs = [];
    path = join(mkdtempSync(join(tmpdir(), 'commits-')), 'data.sqlite');
    open(held);
  });
  afterEach(() => {
    commits.abandon();
    if (db.isOpen) db.close();
    rmSync(join(path, '..'), { recursive: true });
  });

  const add = (n: number, bytes = 0): Promise<number> =>
    commits.write(() => {
      commits.wrote('t', `${n}`);
      db.prepare('INSERT INTO t VALUES (?, randomblob(?))').run(n, bytes);
      return n;
    });
  const committed = (): unknown[] =>
    db
      .prepare('SELECT n FROM t ORDER BY n')
      .all()
      .map(({ n }) => n);
  const turns = async (count = 5): Promise<void> => {
    for (let n = 0; n < count; n += 1) await nextTurn();
  };
  /** What has been acknowledged so far. */
  const watched = (...writes: Promise<number>[]): number[] => {
    const done: number[] = [];
    for (const write of writes) void write.then((n) => done.push(n));
    return done;
  };

  test('acknowledges a write when a sync that began after its commit has ended, and commits later ones together after that', async () => {
    const first = watched(add(1), add(2));
    await turns();
    expect([committed(), first, syncs.length]).toEqual([[1, 2], [], 1]);

    const second = watched(add(3));
    await turns();
    const third = watched(add(4));
    await turns();
    expect([committed(), syncs.length]).toEqual([[1, 2], 1]);

    syncs[0]?.();
    await turns();
    expect([first, second, third, committed(), syncs.length]).toEqual([[1, 2], [], [], [1, 2, 3, 4], 2]);
    syncs[1]?.();
    await turns();
    expect([second, third]).toEqual([[3], [4]]);
  });

  test('a refusal waits for the sync as well, since it may rest on what the commit wrote', async () => {
    const refused = commits.write(() => {
      throw new Error('taken');
    });
    let isRefused = false;
    void refused.catch(() => (isRefused = true));
    await turns();
    expect(isRefused).toBe(false);
    syncs[0]?.();
    await expect(refused).rejects.toThrow('taken');
  });

  test('readers of what a commit wrote wait for its sync, readers of other rows do not', async () => {
    void add(1);
    await turns();
    void add(2);
    expect([commits.syncOf('t', '2'), commits.syncOf('u'), commits.syncOf('u', '1')]).toEqual([undefined, undefined, undefined]);
    let seen = 0;
    void commits.syncOf('t', '1')?.then(() => (seen += 1));
    void commits.syncOf('t')?.then(() => (seen += 1));
    await turns();
    expect(seen).toBe(0);
    syncs[0]?.();
    await turns();
    expect(seen).toBe(2);
    expect([commits.syncOf('t', '1'), commits.syncOf('t', '2')]).toEqual([undefined, expect.any(Promise)]);
  });

  test('close commits pending writes, which are acknowledged with those whose sync is under way when that has ended', async () => {
    const first = watched(add(1));
    await turns();
    const second = watched(add(2));
    commits.close();
    await turns();
    expect([committed(), first, second]).toEqual([[1, 2], [], []]);
    await expect(add(3)).rejects.toThrow('closed');
    syncs[0]?.();
    await turns();
    expect([first, second]).toEqual([[1], [2]]);
  });

  test('close acknowledges pending writes after its own sync where none is under way', async () => {
    const done = watched(add(1));
    commits.close();
    await turns();
    expect([committed(), done, syncs.length]).toEqual([[1], [1], 0]);
  });

  test('abandoned, it acknowledges neither', async () => {
    const done = watched(add(1));
    await turns();
    const pending = watched(add(2));
    commits.abandon();
    syncs[0]?.();
    await turns();
    expect([done, pending]).toEqual([[], []]);
  });

  /** Runs a module with these sources before it; returns what it printed and how it ended. */
  const program = (body: string): string[] => [
    '--disable-warning=ExperimentalWarning',
    '--conditions=@svc/source',
    '--experimental-transform-types',
    '--input-type=module',
    '-e',
    `import { DatabaseSync } from 'node:sqlite';
     import { writeSync } from 'node:fs';
     import { GroupCommit } from ${JSON.stringify(new URL('./group-commit.ts', import.meta.url).href)};
     const path = ${JSON.stringify(path)};
     const db = new DatabaseSync(path);
     ${body}`,
  ];

  test('a sync that fails ends the process, and nothing that waited for it is acknowledged', () => {
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      program(`
        const commits = new GroupCommit(db, { path, sync: (_fd, done) => setTimeout(done, 10, new Error('EIO: i/o error, fdatasync')) });
        const add = (n) => commits.write(() => db.prepare('INSERT INTO t (n) VALUES (?)').run(n)).then(() => console.log('acknowledged'));
        add(1);
        setTimeout(add, 5, 2);
        setTimeout(() => console.log('still there'), 100);`),
      { encoding: 'utf8' },
    );
    expect([status, stdout]).toEqual([1, '']);
    expect(stderr).toContain('could not be synced to its disk: EIO');
  });

  test('a sync that fails after close ends the process, and neither its writes nor those that close committed are acknowledged', () => {
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      program(`
        const commits = new GroupCommit(db, { path, sync: (_fd, done) => setTimeout(done, 50, new Error('EIO: i/o error, fdatasync')) });
        const add = (n) => commits.write(() => db.prepare('INSERT INTO t (n) VALUES (?)').run(n)).then(() => console.log('acknowledged'));
        add(1);
        setTimeout(() => { add(2); commits.close(); console.log('closed'); }, 10);
        setTimeout(() => console.log('still there'), 300);`),
      { encoding: 'utf8' },
    );
    expect([status, stdout]).toEqual([1, 'closed\n']);
    expect(stderr).toContain('could not be synced to its disk: EIO');
  });

  test('checkpoints beside the writes: the WAL stays bounded, and everything is read back', async () => {
    commits.abandon();
    db.close();
    open();
    let largest = 0;
    for (let n = 1; n <= 120; n += 4) {
      await Promise.all([n, n + 1, n + 2, n + 3].map((m) => add(m, MIB)));
      largest = Math.max(largest, statSync(`${path}-wal`).size);
    }
    expect(largest).toBeLessThan(72 * MIB);
    expect(statSync(path).size).toBeGreaterThan(40 * MIB);
    expect(committed()).toHaveLength(120);
    commits.close();
    db.close();
    open(held);
    expect(db.prepare('SELECT count(*) AS n, min(length(bytes)) AS least FROM t').get()).toEqual({ n: 120, least: MIB });
    expect(db.prepare('PRAGMA integrity_check').get()).toEqual({ integrity_check: 'ok' });
  });

  test('killed at any moment of writes and checkpoints, it has every acknowledged write', async () => {
    commits.close();
    db.close();
    for (let round = 0; round < 4; round += 1) {
      const child = spawn(
        process.execPath,
        program(`
          const commits = new GroupCommit(db, { path });
          const insert = db.prepare('INSERT INTO t VALUES (?, randomblob(200000))');
          let n = db.prepare('SELECT coalesce(max(n), 0) AS n FROM t').get().n;
          const one = () => { const m = (n += 1); return commits.write(() => insert.run(m)).then(() => writeSync(1, m + '\\n')); };
          for (;;) await Promise.all(Array.from({ length: 20 }, one));`),
        { stdio: ['ignore', 'pipe', 'inherit'] },
      );
      let printed = '';
      child.stdout.on('data', (chunk: Buffer) => (printed += chunk.toString()));
      const over = new Promise((resolve) => child.once('close', resolve));
      await until(() => printed.split('\n').length >= 100);
      await sleep(Math.random() * 300);
      child.kill('SIGKILL');
      await over;
      const acknowledged = printed.split('\n').slice(0, -1).map(Number);
      open(held);
      const stored = new Set(committed());
      expect(acknowledged.filter((m) => !stored.has(m))).toEqual([]);
      commits.abandon();
      db.close();
    }
  });
});
