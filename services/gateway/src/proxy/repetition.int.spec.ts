import type { Socket } from 'node:net';
import { fastifyOf } from '@svc/service';
import { code } from '../testing/call.ts';
import { ProxySystem } from '../testing/proxy-system.ts';
import { httpAnswer } from '../testing/raw-upstream.ts';
import { made, type Work } from '../testing/stub-service.ts';
import { until } from '@svc/kernel/testing/until';

let system: ProxySystem;
beforeEach(() => void (system = new ProxySystem()));
afterEach(() => system.stop());

const newWork = (run: Work['run'] = made): Work => ({ commands: [], run });
const customer = { body: { name: 'Ana' } };
const keyed = (key: string) => ({ ...customer, headers: { 'idempotency-key': key } });
const later = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
const ok = (socket: Socket): boolean => socket.write(httpAnswer('200 OK', '{"object":"customer"}'));

describe('another replica gets the request', () => {
  test('when one refuses connections, which then gets no requests for a while', async () => {
    const work = newWork();
    const upstream = await system.stub(work);
    const { call } = await (await system.gateway([await system.unreachable(), upstream.origin])).account();
    const answers = await Promise.all(Array.from({ length: 40 }, () => call('POST', '/v1/customers', customer)));
    expect(answers.map(({ status }) => status)).toEqual(Array(40).fill(201));
    expect(new Set(work.commands).size).toBe(40);
  });

  test.each([
    ['resets the connection', (socket: Socket) => socket.resetAndDestroy()],
    ['closes it without a response', (socket: Socket) => socket.end()],
    ['breaks off in the header of its response', (socket: Socket) => socket.end('HTTP/1.1 201 Created\r\ncontent-')],
    ['breaks off in a short body', (socket: Socket) => socket.end('HTTP/1.1 201 Created\r\ncontent-length: 100\r\n\r\n{"id"')],
    ['does not speak HTTP', (socket: Socket) => socket.end('SSH-2.0-OpenSSH_9.6\r\n')],
  ])('when one %s, under the same command', async (_what, react) => {
    const work = newWork();
    const [broken, upstream] = [await system.raw(react), await system.stub(work)];
    const { call } = await (await system.gateway([broken.origin, upstream.origin])).account();
    expect((await call('POST', '/v1/customers', customer)).status).toBe(201);
    expect(broken.commands()).toEqual(work.commands);
    expect(work.commands).toHaveLength(1);
  });

  test('when one shuts down and has not executed it', async () => {
    const leaving = await system.raw((socket) => socket.end(httpAnswer('503 Service Unavailable', '{}', ['Connection: close'])));
    const work = newWork();
    const { call } = await (await system.gateway([leaving.origin, (await system.stub(work)).origin])).account();
    expect((await call('POST', '/v1/customers', customer)).status).toBe(201);
    expect(leaving.commands()).toEqual(work.commands);
  });

  test('when the only one shuts down, as soon as another has started', async () => {
    let n = 0;
    const upstream = await system.raw((socket) => {
      if ((n += 1) < 3) socket.end(httpAnswer('503 Service Unavailable', '{}', ['Connection: close']));
      else ok(socket);
    });
    const { call } = await (await system.gateway([upstream.origin])).account();
    expect((await call('POST', '/v1/customers', customer)).status).toBe(200);
    expect(new Set(upstream.commands()).size).toBe(1);
  });

  test('when one is killed while it works: the command runs on the other, and repeats get its response', async () => {
    let started: (() => void) | undefined;
    const begun = new Promise<void>((resolve) => (started = resolve));
    const [stuck, work] = [newWork(() => (started?.(), new Promise(() => undefined))), newWork()];
    const [dying, other] = [await system.stub(stuck), await system.stub(work)];
    const { call } = await (await system.gateway([dying.origin, other.origin])).account();
    const answer = call('POST', '/v1/customers', keyed('killed'));
    await begun;
    void dying.kill();
    expect((await answer).body).toMatchObject({ id: `cust_${stuck.commands[0]}` });
    expect(work.commands).toEqual(stuck.commands);
    const again = await call('POST', '/v1/customers', keyed('killed'));
    expect([again.text, again.headers['idempotent-replayed']]).toEqual([(await answer).text, 'true']);
  });

  test('in rotation, while all are healthy', async () => {
    const [one, two, three] = [newWork(), newWork(), newWork()];
    const origins = await Promise.all([one, two, three].map(async (work) => (await system.stub(work)).origin));
    const { call } = await (await system.gateway(origins)).account();
    for (let n = 0; n < 9; n += 1) await call('POST', '/v1/customers', customer);
    expect([one, two, three].map(({ commands }) => commands.length)).toEqual([3, 3, 3]);
  });
});

describe('a read that is answered 503', () => {
  const unavailable = (...headers: string[]): string =>
    httpAnswer('503 Service Unavailable', '{"error":{"code":"service_unavailable"}}', headers);

  test('is sent once to another replica; a write is not', async () => {
    const behind = await system.raw((socket) => socket.write(unavailable('Retry-After: 1')));
    const work = newWork();
    const { call } = await (await system.gateway([behind.origin, (await system.stub(work)).origin])).account();
    const answers = [];
    for (let n = 0; n < 6; n += 1) answers.push(await call('GET', '/v1/customers'));
    expect(answers.map(({ status }) => status)).toEqual(Array(6).fill(200));
    expect(behind.requests.length).toBeGreaterThan(0);
    const writes = await Promise.all([1, 2].map(() => call('POST', '/v1/customers', customer)));
    expect(writes.map(({ status }) => status).sort()).toEqual([201, 503]);
  });

  test('is sent to the only replica after its Retry-After', async () => {
    const upstream = await system.raw((socket, _request, n) =>
      socket.write(n === 1 ? unavailable('Retry-After: 1') : httpAnswer('200 OK', '{}')),
    );
    const { call } = await (await system.gateway([upstream.origin])).account();
    const began = performance.now();
    expect((await call('GET', '/v1/customers')).status).toBe(200);
    expect([upstream.requests.length, performance.now() - began > 900]).toEqual([2, true]);
  });

  test('is not sent again where it has waited long', async () => {
    const upstream = await system.raw((socket) => void setTimeout(() => socket.write(unavailable('Retry-After: 1')), 5_100));
    const { call } = await (await system.gateway([upstream.origin])).account();
    expect([code(await call('GET', '/v1/customers')), upstream.requests.length]).toEqual(['503 service_unavailable', 1]);
  });

  test('is not sent a third time', async () => {
    const upstreams = await Promise.all([1, 2, 3].map(() => system.raw((socket) => socket.write(unavailable('Retry-After: 1')))));
    const { call } = await (await system.gateway(upstreams.map(({ origin }) => origin))).account();
    const answer = await call('GET', '/v1/customers');
    expect([code(answer), answer.headers['retry-after']]).toEqual(['503 service_unavailable', '1']);
    expect(upstreams.map(({ requests }) => requests.length).sort()).toEqual([0, 1, 1]);
  });

  test('is not repeated after a long Retry-After', async () => {
    const upstream = await system.raw((socket) => socket.write(unavailable('Retry-After: 60')));
    const { call } = await (await system.gateway([upstream.origin])).account();
    const answer = await call('GET', '/v1/customers');
    expect([code(answer), answer.headers['retry-after'], upstream.requests.length]).toEqual(['503 service_unavailable', '60', 1]);
  });
});

test('requests wait while the only replica restarts', async () => {
  const origin = await system.unreachable();
  const { call } = await (await system.gateway([origin])).account();
  const answers = Promise.all([call('POST', '/v1/customers', customer), call('GET', '/v1/customers')]);
  await later(700);
  await system.stub(newWork(), { port: Number(new URL(origin).port) });
  expect((await answers).map(({ status }) => status)).toEqual([201, 200]);
});

describe('no other replica gets the request', () => {
  test('after two broken connections, since it may crash the replicas', async () => {
    const cut = (): Promise<{ origin: string; requests: unknown[] }> => system.raw((socket) => socket.resetAndDestroy());
    const work = newWork();
    const [one, two, well] = [await cut(), await cut(), await system.stub(work)];
    const gateway = await system.gateway([one.origin, two.origin, well.origin]);
    const { call } = await gateway.account();
    const write = await call('POST', '/v1/customers', customer);
    expect(code(write)).toBe('500 outcome_unknown');
    expect([one.requests.length, two.requests.length, work.commands.length]).toEqual([1, 1, 0]);
  });

  test.each(['404 Not Found', '409 Conflict', '500 Internal Server Error', '503 Service Unavailable'])(
    'after an answer: %s',
    async (status) => {
      const react = (socket: Socket): boolean => socket.write(httpAnswer(status, '{"error":{}}'));
      const upstreams = [await system.raw(react), await system.raw(react)] as const;
      const { call } = await (await system.gateway(upstreams.map(({ origin }) => origin))).account();
      expect((await call('POST', '/v1/customers', customer)).status).toBe(Number.parseInt(status, 10));
      expect(upstreams.flatMap(({ requests }) => requests)).toHaveLength(1);
    },
  );

  test('after a timeout: reads are 503, writes outcome_unknown, and a repeat runs under the same command', async () => {
    const silent = await system.raw(() => undefined);
    const { call } = await (await system.gateway([silent.origin], { answer: 300 })).account();
    const read = await call('GET', '/v1/customers');
    expect([code(read), read.headers['retry-after']]).toEqual(['503 service_unavailable', '1']);
    for (let n = 0; n < 2; n += 1) {
      const write = await call('POST', '/v1/customers', keyed('late'));
      expect(code(write)).toBe('500 outcome_unknown');
      expect(write.body.error?.message).toContain('Repeat the request with the same Idempotency-Key');
    }
    const [, first, second] = silent.commands();
    expect([silent.requests.length, first]).toEqual([3, second]);
  });
});

describe('when no replica can be reached', () => {
  const soon = { unreached: 1_500 };

  test('503 has Retry-After and says that nothing was done', async () => {
    const { call } = await (await system.gateway([await system.unreachable(), await system.unreachable()], soon)).account();
    for (const answer of await Promise.all([call('POST', '/v1/customers', customer), call('GET', '/v1/customers')])) {
      expect([code(answer), answer.headers['retry-after']]).toEqual(['503 service_unavailable', '1']);
    }
  });

  test('after something was sent, a write is outcome_unknown', async () => {
    const broken = await system.raw((socket) => socket.resetAndDestroy());
    const { call } = await (await system.gateway([broken.origin])).account();
    const answers = await Promise.all([call('POST', '/v1/customers', customer), call('GET', '/v1/customers')]);
    expect(answers.map(code)).toEqual(['500 outcome_unknown', '503 service_unavailable']);
    expect(new Set(broken.commands()).size).toBe(2);
  });

  test('other services are still reached', async () => {
    const { call } = await (await system.gateway([await system.unreachable()], soon)).account();
    expect((await call('GET', '/v1/account')).status).toBe(200);
    expect(code(await call('GET', '/v1/webhooks'))).toBe('503 service_unavailable');
  });
});

test('an idle connection that the upstream closed fails no request', async () => {
  const upstream = await system.raw((socket, _request, n) => {
    ok(socket);
    if (n % 3 === 0) setImmediate(() => socket.destroy());
  });
  const { call } = await (await system.gateway([upstream.origin])).account();
  for (let n = 0; n < 30; n += 1) expect((await call('GET', '/v1/customers')).status).toBe(200);
});

test('requests in flight are answered when the gateway closes', async () => {
  let letGo: (() => void) | undefined;
  let started: (() => void) | undefined;
  const begun = new Promise<void>((resolve) => (started = resolve));
  const work = newWork(async (request) => {
    started?.();
    await new Promise<void>((resolve) => (letGo = resolve));
    return made(request);
  });
  const { app, account } = await system.gateway([(await system.stub(work)).origin]);
  const { call } = await account();
  const answer = call('POST', '/v1/customers', customer);
  await begun;
  const closed = app.close();
  await until(() => !fastifyOf(app).server.listening);
  letGo?.();
  expect((await answer).status).toBe(201);
  await closed;
});
