import { Controller, Module } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyRequest } from 'fastify';
import { connect, type Socket } from 'node:net';
import { fastifyOf } from '../routing/fastify-of.ts';
import { createApp, createLogger, Serves, type RequestOf } from '../index.ts';
import { until } from '@svc/kernel/testing/until';

const KIB = 1024;
/** Bytes that a change works on. */
const STORED = 200 * KIB;
/** In the order in which bodies were parsed: their accounts. */
const parsed: string[] = [];
/** How often a timer of 1 ms fired between the parses of two bodies. */
let firedBetween: number[] = [];
let fired = 0;

@Controller()
class Customers {
  @Serves('POST /customers')
  async create(request: FastifyRequest) {
    parsed.push(request.identity.account);
    firedBetween.push(fired);
    fired = 0;
    const end = performance.now() + 5; // what follows a heavy body
    while (performance.now() < end);
    return { id: 'cust_1', version: 1 } as never;
  }

  @Serves('PATCH /customers/{id}')
  async change(request: FastifyRequest) {
    await request.heavyTurn(STORED);
    return this.create(request);
  }

  @Serves('POST /customers/batch')
  async createBatch(request: RequestOf<'POST /customers/batch'>) {
    parsed.push(request.identity.account);
    await hold;
    return { object: 'batch' } as never;
  }
}

let hold: Promise<void> | undefined;

@Module({ controllers: [Customers] })
class TestModule {}

let app: NestFastifyApplication;
let url: string;
async function start(options: Partial<Parameters<typeof createApp>[1]> = {}): Promise<void> {
  app = await createApp(TestModule, { logger: createLogger({ level: 'silent', service: 'test' }), ...options });
  fastifyOf(app).addHook('onRequest', (request, _reply, done) => {
    request.identity = { account: String(request.headers['x-account']) } as FastifyRequest['identity'];
    // As where a key is looked up.
    if (request.headers['x-later']) request.raw.socket.once('close', () => setImmediate(done));
    else done();
  });
  await app.listen(0, '127.0.0.1');
  url = await app.getUrl();
}
beforeEach(() => {
  parsed.length = 0;
  firedBetween = [];
  hold = undefined;
});
afterEach(() => app.close());

const ask = async (account: string, size = 20 * KIB, path = '/v1/customers', method = 'POST') => {
  const body = path.endsWith('batch') ? { requests: [{ name: 'x' }] } : { name: 'Jo' };
  const text = JSON.stringify(body).padEnd(size);
  const headers = { 'content-type': 'application/json', 'x-account': account };
  const answer = await fetch(`${url}${path}`, { method, headers, body: text });
  return {
    status: answer.status,
    retryAfter: answer.headers.get('retry-after'),
    body: (await answer.json()) as { error?: { code: string } },
  };
};
const times = <T>(count: number, make: (n: number) => T): T[] => Array.from({ length: count }, (_, n) => make(n));

test('accounts take turns by bytes: one heavy body does not wait for all of another account', async () => {
  await start();
  const burst = times(40, () => ask('attacker', 200 * KIB));
  await until(() => parsed.length >= 2);
  const before = parsed.length;
  expect((await ask('victim')).status).toBe(201);
  expect(parsed.indexOf('victim')).toBeLessThan(before + 15);
  expect((await Promise.all(burst)).map(({ status }) => status)).toEqual(times(40, () => 201));
  expect(parsed.lastIndexOf('attacker')).toBe(40);
});

test('what works on as much that is stored takes turns with them', async () => {
  await start();
  const burst = times(40, (n) => (n % 2 ? ask('attacker', 200 * KIB) : ask('attacker', 20, '/v1/customers/1', 'PATCH')));
  await until(() => parsed.length >= 2);
  const before = parsed.length;
  expect((await ask('victim', 20, '/v1/customers/1', 'PATCH')).status).toBe(200);
  expect(parsed.indexOf('victim')).toBeLessThan(before + 15);
  await Promise.all(burst);
  expect(parsed.lastIndexOf('attacker')).toBe(40);
});

test('between two heavy bodies the event loop serves what is ready', async () => {
  await start();
  const timer = setInterval(() => (fired += 1), 1);
  await Promise.all(times(20, () => ask('attacker', 200 * KIB)));
  clearInterval(timer);
  expect(firedBetween.slice(2).every((count) => count > 0)).toBe(true);
});

test('bodies that wait are bounded by account: what is too much is 503 with Retry-After before it is parsed', async () => {
  await start({ bodies: { waitingPerAccount: 50 * KIB } });
  const answers = await Promise.all(times(8, () => ask('attacker')));
  const refused = answers.filter(({ status }) => status === 503);
  expect(refused.length).toBeGreaterThan(0);
  for (const { retryAfter, body } of refused) expect([retryAfter, body.error?.code]).toEqual(['1', 'service_unavailable']);
  expect(parsed).toHaveLength(8 - refused.length);
  expect((await ask('attacker')).status).toBe(201); // nothing of them is held
});

/** Sends the head of a request with the first byte of its body. */
function announce(account: string, bytes: number, header = ''): { socket: Socket; status: Promise<number> } {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  const status = new Promise<number>((resolve) => socket.once('data', (answer) => resolve(Number(answer.toString('latin1', 9, 12)))));
  socket.write(`POST /v1/customers HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\nx-account: ${account}\r\n`);
  socket.write(`${header}content-length: ${bytes}\r\n\r\n{`);
  return { socket, status };
}

test('bodies that are announced and do not come hold up no other account, and carry out nothing', async () => {
  await start({ bodies: { waitingPerAccount: 600 * KIB, waitingInAll: 1_000 * KIB, graceMs: 200 } });
  const slow = times(10, (n) => times(20, () => announce(`slow${n}`, 60 * KIB))).flat();
  await new Promise((resolve) => setTimeout(resolve, 100));
  const answers = await Promise.all(times(6, () => ask('victim', 40 * KIB)));
  const first = await Promise.race(slow.map(({ status }) => status));
  for (const { socket } of slow) socket.destroy();
  expect([first, ...answers.map(({ status }) => status)]).toEqual([503, ...times(6, () => 201)]);
  expect(parsed).toEqual(times(6, () => 'victim'));
});

test('who has gone before the body is received holds nothing', async () => {
  await start({ bodies: { waitingPerAccount: 50 * KIB } });
  for (const { socket } of times(3, () => announce('attacker', 20 * KIB, 'x-later: 1\r\n'))) {
    await new Promise((resolve) => setTimeout(resolve, 50));
    socket.destroy();
  }
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect((await ask('attacker', 40 * KIB)).status).toBe(201);
});

test('a batch waits for its permit before it is parsed', async () => {
  let over = (): void => undefined;
  hold = new Promise((resolve) => (over = resolve));
  await start({ answers: { perAccount: 1, waitingPerAccount: 1 } });
  const first = ask('a', 100 * KIB, '/v1/customers/batch');
  await until(() => parsed.length >= 1);
  const others = times(3, () => ask('a', 100 * KIB, '/v1/customers/batch'));
  const refused = await Promise.race(others);
  expect([refused.status, parsed]).toEqual([503, ['a']]);
  expect((await ask('b', 100)).status).toBe(201);
  over();
  expect((await first).status).toBe(200);
  expect((await Promise.all(others)).map(({ status }) => status).sort()).toEqual([200, 503, 503]);
});

test('a body that has waited too long is refused with nothing done', async () => {
  await start({ bodies: { waitMs: 30 } });
  const statuses = (await Promise.all(times(40, () => ask('attacker', 200 * KIB)))).map(({ status }) => status);
  expect(new Set(statuses)).toEqual(new Set([201, 503]));
  expect(statuses.filter((status) => status === 201)).toHaveLength(parsed.length);
  // On a busy machine one alone may wait for 30 ms too.
  await until(async () => (await ask('attacker')).status === 201);
});
