import { once } from 'node:events';
import { createServer, get, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { cutUnread } from './cut-unread.ts';

const UNREAD_MS = 200;
const server = createServer();
let url: string;
beforeAll(async () => {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => server.close());

/** The response that the server sends of a body. */
async function sent(body: Readable): Promise<IncomingMessage> {
  server.once('request', (_request, response) => {
    cutUnread(response, body, UNREAD_MS);
    body.pipe(response);
  });
  const [response] = (await once(get(url), 'response')) as [IncomingMessage];
  return response;
}

test('a body of which nothing is made for longer than a client may rest is sent whole', async () => {
  const body = Readable.from(
    (async function* () {
      yield 'header\r\n';
      await sleep(3 * UNREAD_MS);
      yield 'line\r\n';
      await sleep(3 * UNREAD_MS);
      yield 'last line\r\n';
    })(),
  );
  const pieces = await (await sent(body)).toArray();
  expect(Buffer.concat(pieces as Buffer[]).toString()).toBe('header\r\nline\r\nlast line\r\n');
});

test('a body that its client does not read is closed, and so is one whose client is gone', async () => {
  const endless = () =>
    Readable.from(
      (function* () {
        for (;;) yield 'x'.repeat(100_000);
      })(),
    );
  for (const leave of [() => undefined, (response: IncomingMessage) => response.destroy()]) {
    const body = endless();
    const closed = once(body, 'close');
    const response = await sent(body);
    leave(response);
    await closed;
    response.destroy();
  }
});
