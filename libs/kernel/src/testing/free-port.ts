import { once } from 'node:events';
import { createServer } from 'node:net';

/** Below the ephemeral ports, so that no outgoing connection takes the port of a server that is being restarted. */
const [LOWEST, HIGHEST] = [20_000, 32_000];
const given = new Set<number>();

/** A port of 127.0.0.1 that is free and that this process has not returned before. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = LOWEST + Math.floor(Math.random() * (HIGHEST - LOWEST));
    if (given.has(port)) continue;
    given.add(port);
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
