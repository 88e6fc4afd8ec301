import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Delivery {
  at: number;
  path: string;
  headers: IncomingHttpHeaders;
  raw: Buffer;
  body: { id: string; type: string; sequence: number; data: { id: string } & Record<string, unknown> };
}

/** A status without a body, or both. */
type Reply = number | { status: number; body: string };

/** A webhook subscriber on loopback that keeps every delivery byte for byte. `answer` returns what is answered to the n-th delivery (from 1). */
export async function startReceiver(answer: (delivery: Delivery, n: number) => Reply | Promise<Reply> = () => 200, port = 0) {
  const deliveries: Delivery[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', async () => {
      const raw = Buffer.concat(chunks);
      const delivery = {
        at: Date.now(),
        path: request.url ?? '',
        headers: request.headers,
        raw,
        body: JSON.parse(raw.toString('utf8')) as Delivery['body'],
      };
      deliveries.push(delivery);
      const reply = await answer(delivery, deliveries.length);
      if (typeof reply === 'number') response.writeHead(reply).end();
      else response.writeHead(reply.status).end(reply.body);
    });
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const close = (): Promise<void> =>
    new Promise((resolve) => {
      server.closeAllConnections();
      server.close(() => resolve());
    });
  return { origin, deliveries, close };
}
