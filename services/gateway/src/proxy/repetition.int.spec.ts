import type { Socket } from 'node:net';
import { fastifyOf } from '@svc/service';
import { code } from '../testing/call.suite.ts';
import { ProxyWorld } from '../testing/proxy-world.suite.ts';
import { httpAnswer } from '../testing/raw-owner.suite.ts';
import { made, type Work } from '../testing/stub-service.suite.ts';

let world: ProxyWorld;
beforeEach(() => void (world = new ProxyWorld()));
afterEach(() => world.stop());

const newWork = (run: Work['run'] = made): Work => ({ commands: [], run });
const customer = { body: { name: 'Ana' } };
const keyed = (key: string) => ({ ...customer, headers: { 'idempotency-key': key } });
const later = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
const ok = (socket: Socket): boolean => socket.write(httpAnswer('200 OK', '{"object":"customer"}'));

describe('another replica is asked', () => {
  test('when one refuses connections: no caller notices, and the dead one is left alone for a while', async () => {
    const work = newWork();
    const owner = await world.stub(work);
    const { call } = await (await world.gateway([await world.nobody(), owner.origin])).account();
    const answers = await Promise.all(Array.from({ length: 40 }, () => call('POST', '/v1/customers', customer)));
    expect(answers.map(({ status }) => status)).toEqual(Array(40).fill(201));
    expect(new Set(work.commands).size).toBe(40);
  });

  test.each([
    ['resets the connection', (socket: Socket) => socket.resetAndDestroy()],
    ['closes it without a word', (socket: Socket) => socket.end()],
    ['breaks off in the head of its answer', (socket: Socket) => socket.end('HTTP/1.1 201 Created\r\ncontent-')],
    ['breaks off in a short body', (socket: Socket) => socket.end('HTTP/1.1 201 Created\r\ncontent-length: 100\r\n\r\n{"id"')],
    ['does not speak HTTP', (socket: Socket) => socket.end('SSH-2.0-OpenSSH_9.6\r\n')],
  ])('when one %s, under the same command', async (_what, react) => {
    const work = newWork();
    const [broken, owner] = [await world.raw(react), await world.stub(work)];
    const { call } = await (await world.gateway([broken.origin, owner.origin])).account();
    expect((await call('POST', '/v1/customers', customer)).status).toBe(201);
    expect(broken.commands()).toEqual(work.commands);
    expect(work.commands).toHaveLength(1);
  });

  test('when one says that it is leaving and did nothing', async () => {
    const leaving = await world.raw((socket) => socket.end(httpAnswer('503 Service Unavailable', '{}', ['Connection: close'])));
    const work = newWork();
    const { call } = await (await world.gateway([leaving.origin, (await world.stub(work)).origin])).account();
    expect((await call('POST', '/v1/customers', customer)).status).toBe(201);
    expect(leaving.commands()).toEqual(work.commands);
  });

  test('when the only one is leaving, as soon as there is another in its place', async () => {
    let n = 0;
    const owner = await world.raw((socket) => {
      if ((n += 1) < 3) socket.end(httpAnswer('503 Service Unavailable', '{}', ['Connection: close']));
      else ok(socket);
    });
    const { call } = await (await world.gateway([owner.origin])).account();
    expect((await call('POST', '/v1/customers', customer)).status).toBe(200);
    expect(new Set(owner.commands()).size).toBe(1);
  });

  test('when one is killed in the middle of its work: the command runs on the other, and repeats have its answer', async () => {
    let started: (() => void) | undefined;
    const begun = new Promise<void>((resolve) => (started = resolve));
    const [stuck, work] = [newWork(() => (started?.(), new Promise(() => undefined))), newWork()];
    const [dying, other] = [await world.stub(stuck), await world.stub(work)];
    const { call } = await (await world.gateway([dying.origin, other.origin])).account();
    const answer = call('POST', '/v1/customers', keyed('killed'));
    await begun;
    void dying.kill();
    expect((await answer).body).toMatchObject({ id: `cust_${stuck.commands[0]}` });
    expect(work.commands).toEqual(stuck.commands);
    const again = await call('POST', '/v1/customers', keyed('killed'));
    expect([again.text, again.headers['idempotent-replayed']]).toEqual([(await answer).text, 'true']);
  });

  test('in turn, while all are well', async () => {
    const [one, two, three] = [newWork(), newWork(), newWork()];
    const origins = await Promise.all([one, two, three].map(async (work) => (await world.stub(work)).origin));
    const { call } = await (await world.gateway(origins)).account();
    for (let n = 0; n < 9; n += 1) await call('POST', '/v1/customers', customer);
    expect([one, two, three].map(({ commands }) => commands.length)).toEqual([3, 3, 3]);
  });
});

describe('a read that a replica cannot answer for now', () => {
  const unavailable = (...headers: string[]): string =>
    httpAnswer('503 Service Unavailable', '{"error":{"code":"service_unavailable"}}', headers);

  test('is asked once at another one; a write is not', async () => {
    const behind = await world.raw((socket) => socket.write(unavailable('Retry-After: 1')));
    const work = newWork();
    const { call } = await (await world.gateway([behind.origin, (await world.stub(work)).origin])).account();
    const answers = [];
    for (let n = 0; n < 6; n += 1) answers.push(await call('GET', '/v1/customers'));
    expect(answers.map(({ status }) => status)).toEqual(Array(6).fill(200));
    expect(behind.requests.length).toBeGreaterThan(0);
    const writes = await Promise.all([1, 2].map(() => call('POST', '/v1/customers', customer)));
    expect(writes.map(({ status }) => status).sort()).toEqual([201, 503]);
  });

  test('at the only one, when its time has come', async () => {
    const owner = await world.raw((socket, _request, n) =>
      socket.write(n === 1 ? unavailable('Retry-After: 1') : httpAnswer('200 OK', '{}')),
    );
    const { call } = await (await world.gateway([owner.origin])).account();
    const began = performance.now();
    expect((await call('GET', '/v1/customers')).status).toBe(200);
    expect([owner.requests.length, performance.now() - began > 900]).toEqual([2, true]);
  });

  test('and then its answer stands', async () => {
    const owners = await Promise.all([1, 2, 3].map(() => world.raw((socket) => socket.write(unavailable('Retry-After: 1')))));
    const { call } = await (await world.gateway(owners.map(({ origin }) => origin))).account();
    const answer = await call('GET', '/v1/customers');
    expect([code(answer), answer.headers['retry-after']]).toEqual(['503 service_unavailable', '1']);
    expect(owners.map(({ requests }) => requests.length).sort()).toEqual([0, 1, 1]);
  });

  test('is not kept waiting for longer than callers do', async () => {
    const owner = await world.raw((socket) => socket.write(unavailable('Retry-After: 60')));
    const { call } = await (await world.gateway([owner.origin])).account();
    const answer = await call('GET', '/v1/customers');
    expect([code(answer), answer.headers['retry-after'], owner.requests.length]).toEqual(['503 service_unavailable', '60', 1]);
  });
});

test('the only replica may start anew: requests wait for it', async () => {
  const origin = await world.nobody();
  const { call } = await (await world.gateway([origin])).account();
  const answers = Promise.all([call('POST', '/v1/customers', customer), call('GET', '/v1/customers')]);
  await later(700);
  await world.stub(newWork(), { port: Number(new URL(origin).port) });
  expect((await answers).map(({ status }) => status)).toEqual([201, 200]);
});

describe('nobody else is asked', () => {
  test('for what was cut off twice: it may be what fells those that take it', async () => {
    const cut = (): Promise<{ origin: string; requests: unknown[] }> => world.raw((socket) => socket.resetAndDestroy());
    const work = newWork();
    const [one, two, well] = [await cut(), await cut(), await world.stub(work)];
    const gateway = await world.gateway([one.origin, two.origin, well.origin]);
    const { call } = await gateway.account();
    const write = await call('POST', '/v1/customers', customer);
    expect(code(write)).toBe('500 outcome_unknown');
    expect([one.requests.length, two.requests.length, work.commands.length]).toEqual([1, 1, 0]);
  });

  test.each(['404 Not Found', '409 Conflict', '500 Internal Server Error', '503 Service Unavailable'])(
    'after an answer: %s',
    async (status) => {
      const react = (socket: Socket): boolean => socket.write(httpAnswer(status, '{"error":{}}'));
      const owners = [await world.raw(react), await world.raw(react)] as const;
      const { call } = await (await world.gateway(owners.map(({ origin }) => origin))).account();
      expect((await call('POST', '/v1/customers', customer)).status).toBe(Number.parseInt(status, 10));
      expect(owners.flatMap(({ requests }) => requests)).toHaveLength(1);
    },
  );

  test('when there is no answer in time: reads are 503, writes outcome_unknown, and a repeat runs under the same command', async () => {
    const silent = await world.raw(() => undefined);
    const { call } = await (await world.gateway([silent.origin], { answer: 300 })).account();
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

describe('when nobody can be reached', () => {
  test('503 says when to come again, and that nothing was done', async () => {
    const { call } = await (await world.gateway([await world.nobody(), await world.nobody()])).account();
    for (const answer of await Promise.all([call('POST', '/v1/customers', customer), call('GET', '/v1/customers')])) {
      expect([code(answer), answer.headers['retry-after']]).toEqual(['503 service_unavailable', '1']);
    }
  });

  test('but something was sent, a write may have been done', async () => {
    const broken = await world.raw((socket) => socket.resetAndDestroy());
    const { call } = await (await world.gateway([broken.origin])).account();
    const answers = await Promise.all([call('POST', '/v1/customers', customer), call('GET', '/v1/customers')]);
    expect(answers.map(code)).toEqual(['500 outcome_unknown', '503 service_unavailable']);
    expect(new Set(broken.commands()).size).toBe(2);
  });

  test('the other paths still answer', async () => {
    const { call } = await (await world.gateway([await world.nobody()])).account();
    expect((await call('GET', '/v1/account')).status).toBe(200);
    expect(code(await call('GET', '/v1/webhooks'))).toBe('503 service_unavailable');
  });
});

test('a connection that the owner closed while nothing was under way costs nobody a request', async () => {
  const owner = await world.raw((socket, _request, n) => {
    ok(socket);
    if (n % 3 === 0) setImmediate(() => socket.destroy());
  });
  const { call } = await (await world.gateway([owner.origin])).account();
  for (let n = 0; n < 30; n += 1) expect((await call('GET', '/v1/customers')).status).toBe(200);
});

test('what is under way when the gateway closes is answered', async () => {
  let letGo: (() => void) | undefined;
  let started: (() => void) | undefined;
  const begun = new Promise<void>((resolve) => (started = resolve));
  const work = newWork(async (request) => {
    started?.();
    await new Promise<void>((resolve) => (letGo = resolve));
    return made(request);
  });
  const { app, account } = await world.gateway([(await world.stub(work)).origin]);
  const { call } = await account();
  const answer = call('POST', '/v1/customers', customer);
  await begun;
  const closed = app.close();
  while (fastifyOf(app).server.listening) await later(5);
  letGo?.();
  expect((await answer).status).toBe(201);
  await closed;
});
