import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { Server as NetServer } from 'node:net';
import type { Clock } from '@svc/kernel';

/** So long a connection without a request may still bring one. */
const IDLE_MS = 5_000;
/** So long the requests in hand may take in all: what is left then is cut. Less than a process has to end in. */
const TIMEOUT_MS = 18_000;
const LOOK_MS = 50;
const MOST_TURNS = 1_000;

/**
 * Stops serving without failing anybody: every answer says `Connection: close`; new connections are refused, after `lingerMs`, so that
 * clients go elsewhere; a connection kept alive stays up for 5 s more, since its client may be writing a request to it at this very
 * moment. Resolves when no connection is left, at the latest 18 s after the linger.
 */
export async function drainHttp(server: Server, clock: Clock, lingerMs = 0): Promise<void> {
  if (!server.listening) return;
  const lastAnswer = (_request: IncomingMessage, response: ServerResponse): void => {
    response.shouldKeepAlive = false;
  };
  server.prependListener('request', lastAnswer);
  if (lingerMs > 0) await clock.sleep(lingerMs);
  const done = new AbortController();
  await takeConnected(server);
  // Node's own `Server.close` of HTTP would cut the connections that are idle.
  NetServer.prototype.close.call(server, () => done.abort());
  await clock.sleep(IDLE_MS, done.signal);
  for (const until = clock.now() + TIMEOUT_MS - IDLE_MS; !done.signal.aborted && clock.now() < until;) {
    server.closeIdleConnections(); // those too whose request was answered before it could be told to be the last
    await clock.sleep(LOOK_MS, done.signal);
  }
}

/** What the kernel has connected already would be reset, not refused: Node takes a few in each turn, so there is none when a turn brings none. */
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
