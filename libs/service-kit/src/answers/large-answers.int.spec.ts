import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { connect, type Socket } from 'node:net';
import { Controller, Module, Req } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { systemClock } from '@svc/kernel';
import type { FastifyRequest } from 'fastify';
import { createApp, createLogger, fastifyOf, listEnvelope, listPage, Serves } from '../index.ts';

const KIB = 1024;
const ROWS = 150;
const rows = Array.from({ length: ROWS }, (_, n) => ({ id: `row_${n}`, text: `ë${'x'.repeat(120 * KIB)}` }));
/** What is done in place of reading a chunk; how many rows were read and not sent on. */
let onRead: (n: number) => void | Promise<void>;
let read: number;

@Controller()
class Lists {
  private options(request: FastifyRequest) {
    return { publicUrl: 'https://api.test', request, total: ROWS };
  }

  @Serves('GET /customers')
  large(@Req() request: FastifyRequest) {
    const page = { docs: rows.slice(0, 2), left: rows.slice(2).map(({ id }) => id) };
    const chunks = async function* (ids: string[]) {
      for (const id of ids) {
        const n = Number(id.slice(4));
        await onRead(n);
        read = n;
        yield rows.slice(n, n + 1);
      }
    };
    return listPage({ ...this.options(request), page, read: chunks, toResource: (row) => row });
  }

  @Serves('GET /invoices')
  whole(@Req() request: FastifyRequest) {
    return listEnvelope({ ...this.options(request), data: rows });
  }

  @Serves('GET /products')
  small(@Req() request: FastifyRequest) {
    const page = { docs: [{ id: 'a' }], left: [] };
    return listPage({ ...this.options(request), page, read: () => [] as never, toResource: (row) => row });
  }
}

@Module({ controllers: [Lists] })
class TestModule {}

const log: string[] = [];
let app: NestFastifyApplication;
let port: number;
/** Of the server. */
const sockets = new Set<Socket>();
beforeAll(async () => {
  const logger = createLogger({ level: 'info', service: 'test' }, { write: (line) => void log.push(line) });
  app = await createApp(TestModule, { logger, answers: { perAccount: 2, inAll: 3, waitMs: 1_000, stalledMs: 1_000 } });
  fastifyOf(app).addHook('onRequest', (request, _reply, done) => {
    request.identity = { account: String(request.headers['x-account'] ?? 'acct_a') } as FastifyRequest['identity'];
    done();
  });
  await app.listen(0, '127.0.0.1');
  fastifyOf(app).server.on('connection', (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  port = (fastifyOf(app).server.address() as { port: number }).port;
});
afterAll(() => app.close());
beforeEach(() => {
  onRead = () => undefined;
  read = 0;
  log.length = 0;
});

const open = (path: string, account = 'acct_a', method = 'GET'): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    get({ port, host: '127.0.0.1', path, method, agent: false, headers: { 'x-account': account } }, resolve).on('error', reject);
  });
/** All of it, or `cut`. */
async function textOf(response: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = [];
  try {
    for await (const piece of response) pieces.push(piece as Buffer);
  } catch {
    return 'cut';
  }
  return Buffer.concat(pieces).toString();
}
/** A reader that sends its request and then takes nothing. */
async function stalled(path: string, account = 'acct_a'): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  socket.pause();
  socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\nX-Account: ${account}\r\n\r\n`);
  return socket;
}
const until = async (holds: () => boolean): Promise<void> => {
  for (let n = 0; !holds(); n += 1) {
    if (n > 1_000) throw new Error('it does not come to that');
    await systemClock.sleep(10);
  }
};

/** What was read once no more is. */
async function settled(): Promise<number> {
  for (let last = -1; last !== read; await systemClock.sleep(300)) last = read;
  return read;
}

describe('a large page', () => {
  test('is equal to the same list in one piece, byte for byte', async () => {
    const streamed = await open('/v1/customers?per_page=150');
    expect([streamed.statusCode, streamed.headers['content-type']]).toEqual([200, 'application/json; charset=utf-8']);
    const [page, whole] = [await textOf(streamed), await textOf(await open('/v1/invoices?per_page=150'))];
    expect(page.replaceAll('/v1/customers', '/v1/invoices') === whole).toBe(true);
    expect((JSON.parse(page) as { data: object[] }).data).toHaveLength(ROWS);
  });

  test('is made no faster than it is taken, and given up when its reader goes', async () => {
    const response = await open('/v1/customers');
    await once(response, 'readable');
    const before = await settled();
    expect(before).toBeLessThan(ROWS / 2); // the rest waits, but for what the machine buffers
    response.destroy();
    await until(() => sockets.size === 0);
    expect((await settled()) - before).toBeLessThan(10);
    expect(log).toEqual([]);
  });

  test('is made in turns: other requests are answered in between', async () => {
    const lists = ['acct_a', 'acct_b', 'acct_c'].map((account) => open('/v1/customers', account).then(textOf));
    let answered = 0;
    let over = false;
    const all = Promise.all(lists).then(() => (over = true));
    for (; !over; answered += 1) await textOf(await open('/v1/products'));
    await all;
    expect(answered).toBeGreaterThan(10);
  });

  test('that fails midway is a broken transfer, never a short page, and is logged with its request', async () => {
    onRead = (n) => {
      if (n === 50) throw new Error('the disk is gone');
    };
    expect(await textOf(await open('/v1/customers'))).toBe('cut');
    expect(JSON.parse(log[0] ?? '')).toMatchObject({ account: 'acct_a', msg: 'an answer broke off', err: { message: 'the disk is gone' } });
    expect(JSON.parse(log[0] ?? '').request_id).toMatch(/^req_/);
  });

  test('is not made for HEAD, which is answered as GET is', async () => {
    const response = await open('/v1/customers', 'acct_a', 'HEAD');
    expect([response.statusCode, response.headers['content-type'], await textOf(response)]).toEqual([
      ...[200, 'application/json; charset=utf-8', ''],
    ]);
    expect([response.headers['content-length'], read]).toEqual([undefined, 0]);
  });
});

test('a small page comes in one piece', async () => {
  const response = await open('/v1/products');
  expect(response.headers['content-length']).toBe(String(Buffer.byteLength(await textOf(response))));
});

describe('readers that take nothing', () => {
  test.each(['/v1/customers', '/v1/invoices'])('are cut: %s', async (path) => {
    const socket = await stalled(path);
    const began = performance.now();
    const closed = once(socket, 'close');
    await systemClock.sleep(1_000);
    expect(socket.destroyed).toBe(false);
    await until(() => sockets.size === 0);
    expect(performance.now() - began).toBeGreaterThan(1_400);
    socket.resume();
    await closed;
  });

  test.each(['/v1/customers', '/v1/invoices'])(
    'keep the others of their account waiting, then those get 503, others not: %s',
    async (path) => {
      const readers = await Promise.all([stalled(path), stalled(path)]);
      await until(() => [...sockets].filter(({ writableLength }) => writableLength > 0).length === 2);
      const [mine, other] = [open('/v1/customers'), open('/v1/customers', 'acct_b')];
      expect((await textOf(await other)).length).toBeGreaterThan(ROWS * 120 * KIB);
      const refused = await mine;
      expect([refused.statusCode, refused.headers['retry-after'], refused.headers['content-type']]).toEqual([
        ...[503, '5', 'application/json; charset=utf-8'],
      ]);
      expect(JSON.parse(await textOf(refused))).toMatchObject({ error: { code: 'service_unavailable' } });
      await until(() => sockets.size === 0);
      expect((await textOf(await open('/v1/customers'))).length).toBeGreaterThan(ROWS * 120 * KIB);
      readers.forEach((socket) => socket.destroy());
    },
  );

  test('but slowly are not cut', async () => {
    const response = await open('/v1/customers');
    let length = 0;
    for await (const piece of response) {
      const before = length;
      length += (piece as Buffer).length;
      if (Math.floor(before / (6 * KIB * KIB)) < Math.floor(length / (6 * KIB * KIB))) await systemClock.sleep(700);
    }
    expect(length).toBeGreaterThan(ROWS * 120 * KIB);
  });
});
