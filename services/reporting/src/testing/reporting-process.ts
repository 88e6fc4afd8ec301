import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { systemClock } from '@svc/kernel';
import { freePort } from '@svc/kernel/testing/free-port';

const program = fileURLToPath(new URL('../../dist/start.mjs', import.meta.url));

export const INTERNAL_KEYS = `k1:${Buffer.alloc(32, 1).toString('base64')}`;

export interface Report {
  status: number;
  checks: Record<string, string>;
}

/** Starts the built service as a process. The given settings are added to ones whose servers do not exist. */
export async function startReporting(env: Record<string, string | undefined> = {}, args: string[] = []) {
  const [port, opsPort, closedPort] = [await freePort(), await freePort(), await freePort()];
  const settings = {
    PATH: process.env.PATH,
    PORT: `${port}`,
    OPS_PORT: `${opsPort}`,
    PUBLIC_URL: 'https://api.example',
    MONGODB_URL: `mongodb://127.0.0.1:${closedPort}/?directConnection=true`,
    KAFKA_BROKERS: `127.0.0.1:${closedPort}`,
    INTERNAL_KEYS,
    ...env,
  };
  const child = spawn(process.execPath, [program, ...args], {
    env: settings,
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  let said = '';
  child.stdout?.on('data', (chunk) => (said += String(chunk)));
  child.stderr?.on('data', (chunk) => (said += String(chunk)));
  const whole = Promise.all([child.stdout, child.stderr].map((stream) => once(stream as Readable, 'close')));
  const ended = once(child, 'exit').then(async ([code]) => (await whole, code as number | null));
  const report = async (path: string): Promise<Report> => {
    const answer = await fetch(`http://127.0.0.1:${opsPort}${path}`);
    return { status: answer.status, checks: ((await answer.json()) as { checks: Report['checks'] }).checks };
  };
  return {
    url: `http://127.0.0.1:${port}`,
    opsUrl: `http://127.0.0.1:${opsPort}`,
    child,
    ended,
    said: () => said,
    report,
    /** Resolves with the first readiness report that fits; throws after 90 s. */
    async until(fits: (report: Report) => boolean): Promise<Report> {
      for (const end = systemClock.now() + 90_000; systemClock.now() < end;) {
        const found = await report('/readyz').catch(() => undefined);
        if (found && fits(found)) return found;
        await systemClock.sleep(50);
      }
      throw new Error(`it never came to that; the process said:\n${said}`);
    },
  };
}
