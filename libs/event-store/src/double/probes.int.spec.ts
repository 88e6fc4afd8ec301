import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

/** What the probes say of the double, against what they said of EventStoreDB 23.10.7: probes/facts*.json, recorded from a real server. */
type Facts = Record<string, unknown>;

const probes = join(import.meta.dirname, '../../probes');
const main = join(import.meta.dirname, '../../dist/double/main.js');
const recorded = (file: string): Facts => JSON.parse(readFileSync(join(probes, file), 'utf8')) as Facts;
const folder = mkdtempSync(join(tmpdir(), 'double-probes-'));

/** Runs a probe to its end, in a process group of its own: whatever it started is gone with it. */
async function probe(file: string, args: string[]): Promise<Facts> {
  const child = spawn(process.execPath, [join(probes, file), ...args], { detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
  const output = { stdout: '', stderr: '' };
  child.stdout.on('data', (text: Buffer) => (output.stdout += text.toString()));
  child.stderr.on('data', (text: Buffer) => (output.stderr = (output.stderr + text.toString()).slice(-4_000)));
  const [code] = (await once(child, 'close')) as [number | null];
  try {
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
  } catch {
    // Nothing was left of it.
  }
  if (code !== 0) throw new Error(`${file} ${args.join(' ')} ended with ${code}: ${output.stderr}`);
  return JSON.parse(output.stdout) as Facts;
}

/** A probe of one running server. */
async function probeRunning(file: string): Promise<Facts> {
  const server = spawn(process.execPath, [main, '--data', join(folder, `${file}.log`), '--port', '0'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    for await (const line of createInterface(server.stdout)) return await probe(file, [line.replace('ready: ', '')]);
    throw new Error('the double did not start');
  } finally {
    server.kill('SIGKILL');
  }
}

/** A probe that starts, stops and kills the server itself. */
async function probeRestarts(phases: string): Promise<Facts> {
  const port = await freePort();
  const start = [process.execPath, main, '--data', '{db}/events.log', '--port', port];
  return probe('probe-restart.mjs', ['--phases', phases, join(folder, phases), port, ...start]);
}

async function freePort(): Promise<string> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  return String(port);
}

const STORED_UNTOLD = 'd batches never acknowledged yet stored';
const ONE_DISPOSED = 'k two clients in one process, one disposed while the other has 500 appends in flight';

/** What has to fall between two other things: that it never does can happen, three times over it does not. */
async function probeChance(phase: string, hasHappened: (facts: Facts) => boolean): Promise<Facts> {
  let facts = await probeRestarts(phase);
  for (let n = 0; n < 2 && !hasHappened(facts); n += 1) facts = await probeRestarts(phase);
  return facts;
}
/** A kill between disk and answer. */
const probeKills = (): Promise<Facts> => probeChance('d', (facts) => facts[STORED_UNTOLD] !== 'none');
/** An answer after the other client's end. */
const probeTwoClients = (): Promise<Facts> => probeChance('k', (facts) => (facts[ONE_DISPOSED] as string[]).length > 1);

describe('the double answers as the recorded server did', () => {
  const found: Record<string, Facts> = {};

  beforeAll(async () => {
    // They mostly wait, so three at a time fit on two cores.
    const oneByOne = async (...runs: (() => Promise<Facts>)[]): Promise<Facts[]> => {
      const facts: Facts[] = [];
      for (const run of runs) facts.push(await run());
      return facts;
    };
    const [[still, plain], [running, extra], [kills, clients, stops]] = await Promise.all([
      oneByOne(
        () => probeRestarts('hij'),
        () => probeRunning('probe.mjs'),
      ),
      oneByOne(
        () => probeRestarts('cef'),
        () => probeRunning('probe-extra.mjs'),
      ),
      oneByOne(probeKills, probeTwoClients, () => probeRestarts('a')),
    ]);
    Object.assign(found, {
      'facts.json': plain,
      'facts-extra.json': extra,
      'facts-restart.json': { ...still, ...running, ...kills, ...clients, ...stops },
    });
  }, 175_000);

  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  test.each([
    ['facts.json', 54],
    ['facts-restart.json', 76],
    ['facts-extra.json', 42],
  ])('%s: all %i', (file, count) => {
    expect(Object.keys(recorded(file))).toHaveLength(count);
    expect(found[file]).toEqual(recorded(file));
  });
});
