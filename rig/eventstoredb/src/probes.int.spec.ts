import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { isDeepStrictEqual } from 'node:util';
import { freePort } from '@svc/kernel/testing/free-port';

/** The probes' facts about the emulator, compared with those recorded from EventStoreDB 23.10.7 (probes/facts*.json). */
type Facts = Record<string, unknown>;

const probes = join(import.meta.dirname, '../probes');
const main = join(import.meta.dirname, '../dist/main.js');
const recorded = (file: string): Facts => JSON.parse(readFileSync(join(probes, file), 'utf8')) as Facts;
const folder = mkdtempSync(join(tmpdir(), 'emulator-probes-'));

/** Runs a probe to its end in a process group of its own, so that its children end with it. */
async function probe(file: string, args: string[]): Promise<Facts> {
  const child = spawn(process.execPath, [join(probes, file), ...args], { detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
  const output = { stdout: '', stderr: '' };
  child.stdout.on('data', (text: Buffer) => (output.stdout += text.toString()));
  child.stderr.on('data', (text: Buffer) => (output.stderr = (output.stderr + text.toString()).slice(-4_000)));
  const [code] = (await once(child, 'close')) as [number | null];
  try {
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
  } catch {
    // The group has ended already.
  }
  if (code !== 0) throw new Error(`${file} ${args.join(' ')} ended with ${code}: ${output.stderr}`);
  return JSON.parse(output.stdout) as Facts;
}

/** Runs a probe against one running server. */
async function probeRunning(file: string): Promise<Facts> {
  const data = join(mkdtempSync(join(folder, 'running-')), 'events.log');
  const server = spawn(process.execPath, [main, '--data', data, '--port', '0'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    for await (const line of createInterface(server.stdout)) return await probe(file, [line.replace('ready: ', '')]);
    throw new Error('the emulator did not start');
  } finally {
    server.kill('SIGKILL');
  }
}

/** Runs a probe that starts, stops and kills the server itself. */
async function probeRestarts(phase: string): Promise<Facts> {
  const port = String(await freePort());
  const start = [process.execPath, main, '--data', '{db}/events.log', '--port', port];
  return probe('probe-restart.mjs', ['--phases', phase, join(folder, phase), port, ...start]);
}

/** Facts that a slow machine cannot change: one difference fails. */
const HARM = /appends lost|stored twice|found in part|not whole|stored once/;

/**
 * The probes wait for fixed times, and some facts need one event to fall between two others. A probe with a difference is run again, at
 * most twice, and only a difference in every run fails: a wrong emulator always differs, a slow machine does not.
 */
async function probeAgain(expected: Facts, run: () => Promise<Facts>): Promise<Facts> {
  const found: Facts = {};
  const differs = (name: string): boolean => !isDeepStrictEqual(found[name], expected[name]);
  for (let left = 2; ; left -= 1) {
    for (const [name, fact] of Object.entries(await run())) if (differs(name) || HARM.test(name)) found[name] = fact;
    const different = Object.keys(found).filter(differs);
    if (left === 0 || different.length === 0 || different.some((name) => HARM.test(name))) return found;
    console.warn(`probed again: ${different.join('; ')}`);
  }
}

describe('the emulator responds as the recorded server did', () => {
  const found: Record<string, Facts> = {};

  beforeAll(async () => {
    type Run = [string, () => Promise<Facts>];
    const restarts = (...phases: string[]): Run[] => phases.map((phase) => ['facts-restart.json', () => probeRestarts(phase)]);
    // They mostly wait, so three run at once on two cores.
    const threads: Run[][] = [
      [...restarts('h', 'i', 'j'), ['facts.json', () => probeRunning('probe.mjs')]],
      [...restarts('c', 'e', 'f'), ['facts-extra.json', () => probeRunning('probe-extra.mjs')]],
      restarts('d', 'k', 'a'),
    ];
    const oneByOne = async (runs: Run[]): Promise<void> => {
      for (const [file, run] of runs) Object.assign((found[file] ??= {}), await probeAgain(recorded(file), run));
    };
    await Promise.all(threads.map(oneByOne));
  }, 3 * 240_000);

  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  test.each([
    ['facts.json', 50],
    ['facts-restart.json', 74],
    ['facts-extra.json', 42],
  ])('%s: all %i', (file, count) => {
    expect(Object.keys(recorded(file))).toHaveLength(count);
    expect(found[file]).toEqual(recorded(file));
  });
});
