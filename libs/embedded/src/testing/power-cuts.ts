import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isAcknowledged, type Cut } from './cuts.ts';
import { Disk, stepsIn, type Step } from './disk.ts';

/** How a process of `recorded` ends, or what it does beside the writes. */
export interface Run {
  /** Writes, of which twenty are under way at once. A checkpoint begins after some 400. */
  writes: number;
  /** killed: in the middle of a commit. closed: with writes that are pending. */
  end: 'killed' | 'closed';
  scrubs?: boolean;
  /** Of the syncs of files whose names end so, the nth fails: `-wal:3`. The process then ends by itself. */
  failing?: string;
  /** It leaves a process that reads the database, as of its start, until the record ends. */
  leavesReader?: boolean;
}

/** Folders of some 20 MiB that are written and checked together; what is removed soon is not written to the disk. */
const AT_ONCE = 8;

export interface Recording {
  folder: string;
  steps: Step[];
  /** What each process ended with. */
  ends: { status: number | null; signal: string | null; stdout: string; stderr: string }[];
}

const engine = JSON.stringify(new URL('../engine.ts', import.meta.url).href);
const program = (body: string): string[] => [
  '--disable-warning=ExperimentalWarning',
  '--experimental-transform-types',
  '--conditions=@svc/source',
  '--input-type=module',
  '-e',
  `import { Engine } from ${engine};
   import { spawn } from 'node:child_process';
   import { openSync, writeSync } from 'node:fs';
   const SLOTS = 40;
   const textOf = (v) => Buffer.alloc(30_000, v + '.').toString();
   ${body}`,
];

/** Write `v` replaces the row of its slot, so that a checkpoint changes pages that have rows, and adds one. What a process has read at its start counts as acknowledged. */
const writing = program(`
  const [folder, acknowledged, run] = [process.argv[1], openSync(process.argv[2], 'a'), JSON.parse(process.argv[3])];
  const engine = Engine.open(folder);
  engine.define('CREATE TABLE IF NOT EXISTS slots (slot INTEGER PRIMARY KEY, v, text); CREATE TABLE IF NOT EXISTS writes (v INTEGER PRIMARY KEY)');
  const acknowledge = (v) => writeSync(acknowledged, v + '\\n');
  let last = engine.sql('SELECT coalesce(max(v), 0) AS v FROM writes').get().v;
  acknowledge('read ' + last);
  if (run.leavesReader) {
    const program = "const db = new (require('node:sqlite').DatabaseSync)(process.argv[1]); db.exec('BEGIN; SELECT count(*) FROM slots'); console.log('reads'); setInterval(() => undefined, 1e6)";
    const reader = spawn(process.execPath, ['--no-warnings', '-e', program, folder + '/data.sqlite'], { detached: true, stdio: ['ignore', 'pipe', 'ignore'] });
    await new Promise((resolve) => reader.stdout.once('data', resolve));
    console.log(reader.pid);
  }
  const write = () => {
    const v = (last += 1);
    return engine.write((db) => {
      db.sql('REPLACE INTO slots VALUES (?, ?, ?)').run(v % SLOTS, v, textOf(v));
      db.sql('INSERT INTO writes VALUES (?)').run(v);
    }).then(() => acknowledge(v));
  };
  const many = () => Array.from({ length: 20 }, write);
  const until = last + (run.writes ?? Infinity); // JSON has null for Infinity
  let isScrubbed = !run.scrubs;
  if (run.scrubs) engine.scrub(() => new Promise((resolve) => setImmediate(resolve))).then(() => (isScrubbed = true));
  while (last < until || !isScrubbed) await Promise.all(many());
  many();
  if (run.end === 'killed') await new Promise((resolve) => setImmediate(resolve)).then(() => process.kill(process.pid, 'SIGKILL'));
  await new Promise((resolve) => setImmediate(resolve));
  many();
  engine.close();`);

/** Prints, by line, what is wrong with each of these folders; nothing where all is right. After each is how much of it was acknowledged. */
const checking = program(`
  for (const image of process.argv.slice(1)) {
    const [folder, acknowledged] = image.split('=');
    const wrong = (why) => console.log(folder + ': ' + why);
    try {
      const engine = Engine.open(folder);
      engine.define('CREATE TABLE IF NOT EXISTS slots (slot INTEGER PRIMARY KEY, v, text); CREATE TABLE IF NOT EXISTS writes (v INTEGER PRIMARY KEY)');
      const { last, count } = engine.sql('SELECT coalesce(max(v), 0) AS last, count(*) AS count FROM writes').get();
      if (last < acknowledged) wrong('write ' + acknowledged + ' was acknowledged, the last is ' + last);
      if (count !== last) wrong('of ' + last + ' writes ' + count + ' are there');
      const { integrity_check: state } = engine.sql('PRAGMA integrity_check').get();
      if (state !== 'ok') wrong(state);
      const slots = engine.sql('SELECT slot, v, text FROM slots').all();
      if (slots.length !== Math.min(last, SLOTS)) wrong(slots.length + ' slots');
      for (const { slot, v, text } of slots) if (v % SLOTS !== slot || v <= last - SLOTS || v > last || text !== textOf(v)) wrong('slot ' + slot + ' has write ' + v);
      engine.close();
    } catch (error) {
      wrong(error);
    }
  }`);

/** The compiled `recording.c`; undefined where no C compiler is installed. */
function compiled(folder: string): string | undefined {
  const library = join(folder, 'recording.so');
  const source = new URL('recording.c', import.meta.url).pathname;
  const { error, status, stderr } = spawnSync('cc', ['-O2', '-shared', '-fPIC', '-pthread', '-o', library, source, '-ldl'], {
    encoding: 'utf8',
  });
  if (error) return undefined;
  if (status !== 0) throw new Error(stderr);
  return library;
}

/** Records processes that write to a data folder, one after the other. */
export class PowerCuts {
  private readonly folder = mkdtempSync(join(tmpdir(), 'power-cuts-'));
  private readonly library = compiled(this.folder);

  /** No: nothing can be recorded on this machine. */
  get canRecord(): boolean {
    return this.library !== undefined;
  }

  remove(): void {
    rmSync(this.folder, { recursive: true });
  }

  private run(args: string[], env: Record<string, string> = {}) {
    const { status, signal, stdout, stderr } = spawnSync(process.execPath, args, {
      env: { PATH: process.env['PATH'], NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'], LD_PRELOAD: this.library, ...env },
      encoding: 'utf8',
    });
    return { status, signal, stdout, stderr };
  }

  record(runs: readonly Run[]): Recording {
    const root = mkdtempSync(join(this.folder, 'root-'));
    const record = `${root}.record`;
    const ends = runs.map((run) =>
      this.run([...writing, join(root, 'made', 'data'), join(root, 'acknowledged'), JSON.stringify(run)], {
        ...{ RECORDED: root, RECORD: record },
        ...(run.failing && { FAILING: run.failing }),
      }),
    );
    for (const { stdout } of ends) if (stdout !== '') process.kill(Number(stdout), 'SIGKILL'); // the reader that it left
    return { folder: root, steps: [...stepsIn(readFileSync(record))], ends };
  }

  /** Cuts the power after each of these steps, by index in rising order, and opens what is left. Returns what is wrong. */
  afterCuts({ folder, steps }: Recording, cuts: readonly Cut[]): string[] {
    const disk = new Disk(folder);
    const wrong: string[] = [];
    const images: string[] = [];
    let [done, acknowledged] = [0, 0];
    for (const [n, { at, luck }] of cuts.entries()) {
      for (; done <= at; done += 1) {
        const step = steps[done] as Step;
        if (isAcknowledged(step)) acknowledged = Math.max(acknowledged, Number(step.bytes.toString().split(' ').at(-1)));
        else disk.apply(step);
      }
      const image = join(this.folder, `image-${n}`);
      disk.writeTo(image, luck);
      if (images.push(`${join(image, 'made', 'data')}=${acknowledged}`) < AT_ONCE && n < cuts.length - 1) continue;
      wrong.push(...this.check(images.splice(0)));
      for (let written = n; written > n - AT_ONCE; written -= 1)
        rmSync(join(this.folder, `image-${written}`), { recursive: true, force: true });
    }
    return wrong;
  }

  private check(images: readonly string[]): string[] {
    const { stdout, stderr, status } = this.run([...checking, ...images]);
    if (status !== 0) throw new Error(stderr);
    return stdout.split('\n').slice(0, -1);
  }
}
