import { once } from 'node:events';
import { createServer } from 'node:net';

/** Below the ports that systems give to connections: a server that is started again finds its port as it left it. */
const [LOWEST, HIGHEST] = [20_000, 32_000];
const given = new Set<number>();

/** A port on which nobody listens, and that was not given before. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = LOWEST + Math.floor(Math.random() * (HIGHEST - LOWEST));
    if (given.has(port)) continue;
    given.add(port);
    const server = createServer().listen(port, '127.0.0.1');
    try {
      await once(server, 'listening');
    } catch {
      continue; // somebody has it
    }
    server.close();
    await once(server, 'close');
    return port;
  }
}
