import { request as httpRequest } from 'node:http';
import type { Socket } from 'node:net';
import { until } from '@svc/kernel/testing/until';
import type { Call } from '../testing/call.ts';
import type { GatewayApp } from '../testing/gateway-app.ts';
import { ProxySystem } from '../testing/proxy-system.ts';
import { httpAnswer, type RawUpstream } from '../testing/raw-upstream.ts';

const PATH = '/v1/invoices/inv_1/submit';
const wait = { body: {}, headers: { prefer: 'respond-async, wait=20' } };

let system: ProxySystem;
let upstream: RawUpstream;
let gateway: GatewayApp;
/** Connections of the requests that wait: the service answers all others at once. */
let held: Socket[];

beforeEach(async () => {
  system = new ProxySystem();
  held = [];
  upstream = await system.raw((socket, request) => {
    if (/prefer:.*wait=|^GET \S*[?&]wait=/i.test(request)) held.push(socket);
    else socket.write(httpAnswer('200 OK', '{"status":"submitting"}'));
  });
  gateway = await system.gateway([upstream.origin]);
});
afterEach(async () => {
  gateway.health.stop(); // nobody waits until its time is over
  await system.stop();
});

/** Sends so many requests that wait; returns those that were answered. */
function waits(call: Call, count: number): { status: number; applied: string | undefined }[] {
  const answered: { status: number; applied: string | undefined }[] = [];
  for (let n = 0; n < count; n += 1)
    void call('POST', PATH, wait).then(
      ({ status, headers }) => answered.push({ status, applied: headers['preference-applied'] }),
      () => undefined, // cut at the end of the test
    );
  return answered;
}
const AT_ONCE = { status: 200, applied: undefined };

test('of an account 100 wait; the next ones are forwarded with their other preferences, and answered at once', async () => {
  const answered = waits((await gateway.account()).call, 103);
  await until(() => held.length === 100 && answered.length === 3);
  expect(answered).toEqual(Array(3).fill(AT_ONCE));
  const atOnce = upstream.requests.filter((request) => !request.includes('wait='));
  expect(atOnce.map((request) => /prefer: (.*)\r/i.exec(request)?.[1])).toEqual(Array(3).fill('respond-async'));
  const answeredLate = held.shift();
  answeredLate?.write(httpAnswer('200 OK', '{"status":"submitted"}', ['Preference-Applied: wait=20']));
  await until(() => answered.length === 4);
  expect(answered[3]).toEqual({ status: 200, applied: 'wait=20' });
});

test('eleven accounts that wait leave places for another, and connections for requests that do not wait', async () => {
  const answered: ReturnType<typeof waits>[] = [];
  for (let n = 0; n < 11; n += 1) answered.push(waits((await gateway.account()).call, 100));
  await until(() => held.length + answered.flat().length === 1_100);
  expect(held.length).toBeLessThan(1_000);
  expect(answered.flat()).toEqual(Array(1_100 - held.length).fill(AT_ONCE));
  const before = held.length;
  const { call } = await gateway.account();
  waits(call, 1);
  await until(() => held.length === before + 1);
  expect(await Promise.all(Array.from({ length: 100 }, async () => (await call('GET', '/v1/customers')).status))).toEqual(
    Array(100).fill(200),
  );
}, 60_000);

test('a caller that goes away frees the place at once; its request is answered under the same command, for the repeat', async () => {
  const { testKey, call } = await gateway.account();
  const headers = { authorization: `Bearer ${testKey}`, prefer: 'wait=20', 'idempotency-key': 'gone', 'content-type': 'application/json' };
  const request = httpRequest({ host: '127.0.0.1', port: gateway.port, path: PATH, method: 'POST', headers, agent: false });
  request.on('error', () => undefined).end('{}');
  await until(() => held.length === 1);
  let isOver = false;
  held[0]?.once('close', () => (isOver = true));
  request.destroy();
  await until(() => isOver && upstream.requests.length === 2);
  const replayed = async () =>
    (await call('POST', PATH, { body: {}, headers: { 'idempotency-key': 'gone' } })).headers['idempotent-replayed'];
  while ((await replayed()) !== 'true') await new Promise((resolve) => setTimeout(resolve, 10));
  expect(new Set(upstream.commands()).size).toBe(1);
});

test('a process that stops answers those who wait, and lets nobody wait any more', async () => {
  const { call } = await gateway.account();
  const answered = waits(call, 3);
  await until(() => held.length === 3);
  gateway.health.stop();
  await until(() => answered.length === 3);
  expect(answered).toEqual(Array(3).fill(AT_ONCE));
  expect((await call('POST', PATH, wait)).status).toBe(200);
  expect(held).toHaveLength(3);
});

describe('a request that follows events', () => {
  const EVENTS = '/v1/events?after=evt_1&wait=20&resource_id=a%2Cb';
  const follow = (call: Call, count: number): number[] => {
    const answered: number[] = [];
    for (let n = 0; n < count; n += 1)
      void call('GET', EVENTS).then(
        ({ status }) => answered.push(status),
        () => undefined, // cut at the end of the test
      );
    return answered;
  };

  test('waits in the same places; beyond them it is forwarded without its wait', async () => {
    const { call } = await gateway.account();
    waits(call, 60);
    await until(() => held.length === 60);
    const answered = follow(call, 43);
    await until(() => held.length === 100 && answered.length === 3);
    expect(answered).toEqual([200, 200, 200]);
    const atOnce = upstream.requests.filter((request) => request.startsWith('GET') && !request.includes('wait='));
    expect(atOnce.map((request) => request.split(' ')[1])).toEqual(Array(3).fill('/v1/events?after=evt_1&resource_id=a%2Cb'));
  });

  test('is not sent again when its caller goes away, and leaves its place', async () => {
    const { testKey } = await gateway.account();
    const request = httpRequest({
      host: '127.0.0.1',
      port: gateway.port,
      path: EVENTS,
      headers: { authorization: `Bearer ${testKey}` },
      agent: false,
    });
    request.on('error', () => undefined).end();
    await until(() => held.length === 1);
    let isOver = false;
    held[0]?.once('close', () => (isOver = true));
    request.destroy();
    await until(() => isOver);
    await new Promise((resolve) => setTimeout(resolve, 50)); // time in which it would be sent
    expect(upstream.requests).toHaveLength(1);
  });

  test('is answered when the process stops', async () => {
    const answered = follow((await gateway.account()).call, 2);
    await until(() => held.length === 2);
    gateway.health.stop();
    await until(() => answered.length === 2);
    expect(answered).toEqual([200, 200]);
  });
});
