import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Received {
  path: string;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

/** A subscriber that answers 200 at `/ok`. Elsewhere it fails, and answers with all headers that it was sent, as careless ones do, and a redirect with one of them. */
export async function startSecretSubscriber() {
  const received: Received[] = [];
  const server = createServer((request, response) => {
    void request.toArray().then((chunks: Buffer[]) => {
      const { url: path = '', headers } = request;
      received.push({ path, headers, body: Buffer.concat(chunks) });
      if (path === '/ok') response.writeHead(200).end('thanks');
      else if (path === '/moved') response.writeHead(302, { location: `/login?token=${String(headers['x-shop-key'])}` }).end();
      else response.writeHead(500).end(`not allowed: ${JSON.stringify(headers)}`);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const close = (): Promise<void> =>
    new Promise((resolve) => {
      server.closeAllConnections();
      server.close(() => resolve());
    });
  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, received, close };
}
