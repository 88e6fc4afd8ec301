import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { freePort } from '@svc/kernel/testing/free-port';

/** How a process ended. */
export interface End {
  code: number | null;
  signal: string | null;
}

/** A process group that a test started. */
export interface Program {
  pid: number;
  /** stdout, where it has no file, and stderr so far, at most the last 8 MB. */
  output(): string;
  /** undefined while it runs. */
  ended(): End | undefined;
  exit: Promise<End>;
  /** Signals the whole group and waits for its end: the others may hold ports longer than the first process. */
  kill(signal?: 'SIGKILL' | 'SIGTERM'): Promise<End>;
}

/** For the end of a group, some seconds: a process that has ended may stay until its parent has noticed. */
const [LOOK_EVERY_MS, LOOKS] = [20, 250];

/** Characters of a program's output that are kept. */
const OUTPUT_KEPT = 8_000_000;

export const root = new URL('../../..', import.meta.url).pathname;
const node24 = join(root, 'node_modules/.bin/node');

/** The variables of this process's environment that a program inherits. */
const inherited = (): Record<string, string | undefined> =>
  Object.fromEntries(Object.entries(process.env).filter(([name]) => ['PATH', 'HOME', 'TMPDIR', 'CI'].includes(name)));

/** Starts a file on Node 24 in a process group of its own. `folder`: the build that it belongs to; this repository by default. `stdout`: an open file. */
export function startProgram(
  file: string,
  {
    args = [],
    env = {},
    folder = root,
    stdout,
  }: { args?: string[]; env?: Record<string, string>; folder?: string; stdout?: number | undefined },
): Program {
  const child = spawn(node24, [join(folder, file), ...args], {
    cwd: folder,
    env: { ...inherited(), ...env },
    detached: true,
    stdio: ['ignore', stdout ?? 'pipe', 'pipe'],
  });
  let output = '';
  const keep = (chunk: Buffer): void => {
    output = (output + chunk.toString('utf8')).slice(-OUTPUT_KEPT);
  };
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', keep);
  let ended: End | undefined;
  const exit = new Promise<End>((resolve) => child.once('exit', (code, signal) => resolve((ended = { code, signal }))));
  return {
    pid: child.pid as number,
    output: () => output,
    ended: () => ended,
    exit,
    async kill(signal = 'SIGKILL') {
      const group = -(child.pid as number);
      send(group, signal);
      const end = await exit;
      for (let n = 0; n < LOOKS && send(group, 0); n += 1) await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
      return end;
    },
  };
}

/** Whether there is such a group. */
function send(group: number, signal: 'SIGKILL' | 'SIGTERM' | 0): boolean {
  try {
    return process.kill(group, signal);
  } catch {
    return false;
  }
}

/** Waits until `health` answers 200. Throws with the program's output when it ends before, and after `withinMs`. */
export async function untilReady(health: string, { ended, output }: Pick<Program, 'ended' | 'output'>, withinMs = 150_000): Promise<void> {
  const until = Date.now() + withinMs;
  let last = 'nobody listens';
  for (;;) {
    if (ended()) throw new Error(`the program ended before it was ready:\n${output()}`);
    if (Date.now() > until) throw new Error(`not ready within ${withinMs / 1000} s; ${health}: ${last}\n${output()}`);
    try {
      const answer = await fetch(health, { signal: AbortSignal.timeout(2000) });
      if (answer.ok) return;
      last = await answer.text();
    } catch {
      // Not up yet.
    }
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** Free ports, as settings. */
export const freePorts = async (): Promise<Record<'PORT' | 'OPS_PORT' | 'SIMULATOR_PORT', string>> => ({
  PORT: String(await freePort()),
  OPS_PORT: String(await freePort()),
  SIMULATOR_PORT: String(await freePort()),
});
