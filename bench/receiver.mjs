// A subscriber's server: answers every POST with 200.
import { createServer } from 'node:http';
import { once } from 'node:events';

/** `received`: how many requests so far. */
export async function startReceiver() {
  let received = 0;
  const server = createServer((request, response) => {
    received += 1;
    request.resume().on('end', () => response.end());
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    received: () => received,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
