import { once } from 'node:events';
import { closeSync, mkdirSync, openSync, rmSync, statSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Below the ephemeral ports, so that no outgoing connection takes the port of a server that is being restarted. */
const [LOWEST, HIGHEST] = [20_000, 32_000];
/** A file for each port that was returned lately: others may want one before its server listens. */
const taken = join(tmpdir(), `svc-ports-${process.getuid?.() ?? ''}`);
const TAKEN_MS = 600_000;

/** A port of 127.0.0.1 that is free and that no test has got in the last ten minutes. */
export async function freePort(): Promise<number> {
  mkdirSync(taken, { recursive: true });
  for (;;) {
    const port = LOWEST + Math.floor(Math.random() * (HIGHEST - LOWEST));
    if (!take(join(taken, String(port)))) continue;
    const server = createServer().listen(port, '127.0.0.1');
    try {
      await once(server, 'listening');
    } catch {
      continue; // in use
    }
    server.close();
    await once(server, 'close');
    return port;
  }
}

/** Makes the file, unless another process has made it since. */
function take(file: string): boolean {
  const madeAt = statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  if (Date.now() - madeAt < TAKEN_MS) return false;
  rmSync(file, { force: true });
  try {
    closeSync(openSync(file, 'wx'));
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}
