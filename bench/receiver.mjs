// A subscriber's server: answers every POST with 200, but those to /hang never.
import { createServer } from 'node:http';
import { once } from 'node:events';

/** `received` and `lastAt`: how many requests to a path (to all) so far, and when the last of them came. `hear` gets each body with the time. */
export async function startReceiver(hear) {
  const paths = new Map();
  const server = createServer((request, response) => {
    const at = performance.now();
    paths.set(request.url, { count: (paths.get(request.url)?.count ?? 0) + 1, at });
    const chunks = [];
    request.on('data', (chunk) => chunks.push(chunk));
    request.on('end', () => {
      hear?.(Buffer.concat(chunks), at);
      if (request.url !== '/hang') response.end();
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    received: (path) => (path ? (paths.get(path)?.count ?? 0) : [...paths.values()].reduce((sum, { count }) => sum + count, 0)),
    lastAt: (path) => paths.get(path)?.at,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
