import { once } from 'node:events';
import type { Socket } from 'node:net';
import { Controller, Module } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { DomainError } from '@svc/kernel';
import { createApp, createLogger, fastifyOf, Serves } from '../index.ts';
import type { LingeringLimits } from './lingering-close.ts';
import { type Framing, headOf, open, responseIn, sendThenRead, write } from './testing/sender.ts';

const KIB = 1024;
const MIB = KIB * KIB;
const MINUTE = 60_000;
const BODY = '{"name":"Ana"}';
let made = 0;

@Controller()
class Customers {
  @Serves('POST /customers')
  async create() {
    made += 1;
    return { id: 'cust_1' } as never;
  }
}

@Module({ controllers: [Customers] })
class TestModule {}

let app: NestFastifyApplication;
let port: number;
let sockets: Socket[];

/** Rejects requests with `X-Edge: refuse` before their body is read. */
async function start(lingering: Partial<LingeringLimits> = {}): Promise<void> {
  app = await createApp(TestModule, { logger: createLogger({ level: 'silent', service: 'test' }), lingering });
  const fastify = fastifyOf(app);
  sockets = [];
  fastify.server.on('connection', (socket) => sockets.push(socket));
  fastify.addHook('onRequest', ({ headers }, _reply, done) => {
    done(headers['x-edge'] === 'refuse' ? new DomainError('rate_limit_exceeded', 'Wait.', undefined, 3) : undefined);
  });
  await app.listen(0, '127.0.0.1');
  ({ port } = fastify.server.address() as { port: number });
}
beforeEach(() => void (made = 0));
afterEach(async () => {
  for (const socket of sockets) socket.destroy();
  await app.close();
});

const refused = ['X-Edge: refuse'];
const framings: Framing[] = ['Content-Length', 'chunked'];

/** Resolves when the server has closed its n-th connection. */
const cut = (n = 0): Promise<unknown> => (sockets[n]?.closed ? Promise.resolve() : once(sockets[n] as Socket, 'close'));

/** A connection that has received the response to a request of `size` bytes, of which `sent` are sent. */
async function answered({ size = 8 * MIB, sent = 0 } = {}) {
  const opened = open(port);
  await write(opened.socket, headOf({ port, head: refused, size }) + ' '.repeat(sent));
  await opened.until('rate_limit_exceeded');
  return opened;
}

describe('a client that sends its whole body before it reads gets the response', () => {
  // A busy machine may keep the client from sending for seconds, and a silent client is cut.
  beforeEach(() => start({ silentMs: MINUTE, longestMs: MINUTE }));

  test.each(framings)('413 after 8 MiB with %s', async (framing) => {
    const { got, error } = await sendThenRead({ port, size: 8 * MIB, framing, head: ['Accept: application/problem+json'] });
    const { status, head, body } = responseIn(got);
    expect([error, status, body.code]).toEqual([undefined, 413, 'payload_too_large']);
    expect(head).toMatch(/\r\nconnection: close/i);
    expect(head).toMatch(/\r\ncontent-type: application\/problem\+json/);
  });

  test.each([
    ['that a hook rejects', 429, 'rate_limit_exceeded', refused],
    ['with two hosts', 400, 'invalid_request', ['Host: y']],
    ['with an unknown expectation', 400, 'invalid_request', ['Expect: miracles']],
    ['with a header that is too large', 400, 'invalid_request', [`X-Long: ${'x'.repeat(17 * KIB)}`]],
  ])('of a request %s: %i', async (_what, expected, code, head) => {
    const { got, error } = await sendThenRead({ port, size: 5 * MIB, head });
    const { status, body } = responseIn(got);
    expect([error, status, (body.error as { code: string }).code]).toEqual([undefined, expected, code]);
  });

  test.each([
    ['Content-Length', 250 * KIB],
    ['chunked', 8 * MIB],
  ] as const)('415 of an encoded body with %s', async (framing, size) => {
    const { got, error } = await sendThenRead({ port, size, framing, head: ['Content-Encoding: gzip'] });
    expect([error, responseIn(got).status]).toEqual([undefined, 415]);
  });
});

test('the server closes its half while the client pauses, and not while it sends', async () => {
  await start({ silentMs: 4_000, longestMs: MINUTE });
  const { socket } = await answered();
  let isEnded = false;
  socket.once('end', () => (isEnded = true));
  for (let n = 0; n < 128; n += 1) await write(socket, Buffer.alloc(64 * KIB));
  expect(isEnded).toBe(false);
  await once(socket, 'end');
  await write(socket, 'more');
  await cut();
});

describe('reading on is bounded', () => {
  test('a client that stops sending is cut', async () => {
    await start({ silentMs: 100, longestMs: MINUTE });
    await answered({ sent: KIB });
    await cut();
  });

  test('a client that sends without end is cut after the bytes', async () => {
    await start({ silentMs: MINUTE, longestMs: MINUTE, bytes: MIB });
    const { socket } = await answered({ size: 1_000 * MIB });
    for (const piece = Buffer.alloc(64 * KIB); !socket.destroyed;) await write(socket, piece);
    await cut();
    expect(sockets[0]?.bytesRead).toBeLessThan(3 * MIB);
  });

  test('a client that sends a little now and then is cut after the time', async () => {
    await start({ silentMs: MINUTE, longestMs: 300 });
    const { socket } = await answered();
    const trickle = setInterval(() => socket.write(' '), 20);
    await cut();
    clearInterval(trickle);
  });

  test('of 65 connections the last is closed with its response', async () => {
    await start({ silentMs: MINUTE, longestMs: MINUTE });
    const first = await Promise.all(Array.from({ length: 64 }, () => answered()));
    await answered();
    await cut(64);
    expect(sockets.filter(({ closed }) => closed).length).toBe(1);
    for (const { socket } of first) socket.destroy();
    await Promise.all(first.map((_, n) => cut(n)));
    await write((await answered()).socket, Buffer.alloc(MIB));
    expect(sockets[65]?.closed).toBe(false);
  });

  test('what follows the body is no request', async () => {
    await start({ silentMs: 200 });
    const { socket } = await answered({ size: 100 * KIB });
    await write(socket, `${' '.repeat(100 * KIB)}${headOf({ port, size: BODY.length })}${BODY}`);
    await cut();
    expect(made).toBe(0);
  });

  test('closing the app does not wait for it', async () => {
    await start({ silentMs: MINUTE, longestMs: MINUTE });
    await answered({ sent: KIB });
    await app.close();
    expect(sockets[0]?.closed).toBe(true);
  });
});

describe('a small rejected body is read, and its connection is kept', () => {
  beforeEach(() => start());

  test.each(framings)('with %s', async (framing) => {
    const { socket, until } = open(port);
    const head = headOf({ port, head: refused, size: 4, framing });
    await write(socket, framing === 'chunked' ? `${head}4\r\n    \r\n0\r\n\r\n` : `${head}    `);
    expect(await until('rate_limit_exceeded')).toMatch(/connection: keep-alive/i);
    await write(socket, `${headOf({ port, size: BODY.length })}${BODY}`);
    expect(await until('cust_1')).toContain('HTTP/1.1 201');
    socket.destroy();
  });

  test('also when it comes later than the response', async () => {
    const { socket, until } = await answered({ size: 60 * KIB });
    await write(socket, `${' '.repeat(60 * KIB)}${headOf({ port, size: BODY.length })}${BODY}`);
    expect(await until('cust_1')).toContain('HTTP/1.1 201');
    socket.destroy();
  });

  test('a rest that never comes gets no second response', async () => {
    const { socket, closed } = await answered({ size: KIB, sent: 10 });
    // Node raises this when `requestTimeout` is over.
    fastifyOf(app).server.emit('clientError', Object.assign(new Error('late'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' }), sockets[0]);
    socket.once('end', () => socket.destroy());
    expect((await closed).got.match(/HTTP\/1.1/g)).toHaveLength(1);
  });
});

describe('Expect: 100-continue', () => {
  beforeEach(() => start({ silentMs: 100 }));
  const expecting = ['Expect: 100-continue'];

  test.each([
    [413, 2 * MIB, expecting],
    [429, 2, [...expecting, ...refused]],
    [415, 2, [...expecting, 'Content-Encoding: br']],
  ])('a request that its head has rejected is %i without 100 Continue', async (expected, size, head) => {
    const { socket, closed } = open(port);
    await write(socket, headOf({ port, size, head }));
    socket.once('end', () => socket.destroy()).resume();
    const { status, head: lines } = responseIn((await closed).got);
    expect(status).toBe(expected);
    expect(lines).toMatch(/connection: close/i);
  });

  test('another one gets it once, and then its response', async () => {
    const { socket, until } = open(port);
    await write(socket, headOf({ port, size: BODY.length, head: expecting }));
    expect(await until('\r\n\r\n')).toBe('HTTP/1.1 100 Continue\r\n\r\n');
    await write(socket, BODY);
    expect(await until('cust_1')).toContain('HTTP/1.1 201');
    socket.destroy();
  });
});
