// A receiver of webhooks on the host, which pods reach.
import { createServer } from 'node:http';
import { once } from 'node:events';
import { verifyWebhook } from '../../../libs/client/src/verify-webhook.ts';
import { WebhookError } from '../../../libs/client/src/error.ts';
import { HOST } from '../addresses.mjs';

export async function startReceiver() {
  const deliveries = [];
  const server = createServer((request, response) => {
    const chunks = [];
    request.on('data', (chunk) => chunks.push(chunk));
    request.on('end', () => {
      deliveries.push({ headers: request.headers, body: Buffer.concat(chunks), at: new Date() });
      response.writeHead(200).end();
    });
  });
  server.listen(0, HOST);
  await once(server, 'listening');
  return {
    origin: `http://${HOST}:${server.address().port}`,
    /** The ids of the documents whose webhooks came with a valid signature. */
    received(secret) {
      return new Set(deliveries.flatMap((delivery) => idIn(delivery, secret)));
    },
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** The id of the document of a genuine delivery, in a list; nothing of another. */
function idIn({ headers, body, at }, secret) {
  try {
    return [verifyWebhook({ headers, body }, secret, { now: at }).data.id];
  } catch (error) {
    if (error instanceof WebhookError) return [];
    throw error;
  }
}
