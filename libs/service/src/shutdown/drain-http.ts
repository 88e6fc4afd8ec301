import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { Server as NetServer } from 'node:net';
import type { Clock } from '@svc/kernel';
import type { LingeringClose } from '../boot/lingering-close.ts';

/** How long an idle connection stays open for another request. */
const IDLE_MS = 5_000;
/** Maximum time for open requests; then they are cut. Shorter than the time that a process has to end. */
const TIMEOUT_MS = 18_000;
const LOOK_MS = 50;
const MOST_TURNS = 1_000;

/**
 * Stops serving without failing requests. Every response has `Connection: close`. After `lingerMs`, in which clients find other replicas, new
 * connections are refused, and connections that are only read on after an early response are cut. An idle connection stays open for 5 s, because
 * its client may be sending a request. Resolves when no connection is left, at most 18 s after the linger.
 */
export async function drainHttp(
  { server, lingering }: { server: Server; lingering: LingeringClose },
  clock: Clock,
  lingerMs = 0,
): Promise<void> {
  if (!server.listening) return;
  const lastAnswer = (_request: IncomingMessage, response: ServerResponse): void => {
    response.shouldKeepAlive = false;
  };
  server.prependListener('request', lastAnswer);
  if (lingerMs > 0) await clock.sleep(lingerMs);
  lingering.end();
  const done = new AbortController();
  await takeConnected(server);
  // `close` of an HTTP server would cut idle connections.
  NetServer.prototype.close.call(server, () => done.abort());
  await clock.sleep(IDLE_MS, done.signal);
  for (const until = clock.now() + TIMEOUT_MS - IDLE_MS; !done.signal.aborted && clock.now() < until;) {
    server.closeIdleConnections(); // those whose last response had no `Connection: close`
    await clock.sleep(LOOK_MS, done.signal);
  }
}

/** Accepts connections that the kernel has already made, which would otherwise be reset. Node accepts a few in each turn; a turn without one is the end. */
async function takeConnected(server: Server): Promise<void> {
  let quiet = 0;
  const taken = (): void => void (quiet = 0);
  server.on('connection', taken);
  for (let turn = 0; turn < MOST_TURNS && quiet < 2; turn += 1) {
    quiet += 1;
    await new Promise((next) => setImmediate(next));
  }
  server.off('connection', taken);
}
