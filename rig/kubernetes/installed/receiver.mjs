// A receiver of webhooks on the host, which pods reach.
import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';
import { once } from 'node:events';
import { HOST } from '../addresses.mjs';

export async function startReceiver() {
  const deliveries = [];
  const server = createServer((request, response) => {
    const chunks = [];
    request.on('data', (chunk) => chunks.push(chunk));
    request.on('end', () => {
      deliveries.push({ signature: request.headers['x-service-signature'], raw: Buffer.concat(chunks) });
      response.writeHead(200).end();
    });
  });
  server.listen(0, HOST);
  await once(server, 'listening');
  return {
    origin: `http://${HOST}:${server.address().port}`,
    /** The ids of the documents whose webhooks came with a valid signature. */
    received(secret) {
      const valid = deliveries.filter(({ signature, raw }) => {
        const expected = createHmac('sha256', secret).update(raw).digest();
        const given = Buffer.from(signature ?? '', 'hex');
        return given.length === expected.length && timingSafeEqual(given, expected);
      });
      return new Set(valid.map(({ raw }) => JSON.parse(raw).data.id));
    },
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
