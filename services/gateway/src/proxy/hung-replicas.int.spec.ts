import type { Server, Socket } from 'node:net';
import { startBalancer } from '../testing/balancer.ts';
import { code } from '../testing/call.ts';
import { ProxySystem } from '../testing/proxy-system.ts';
import type { Timeouts } from './deadlines.ts';
import { httpAnswer, type RawUpstream } from '../testing/raw-upstream.ts';

const DEADLINE = 300;
const OBJECT = httpAnswer('200 OK', '{"object":"customer"}');
const answers = (socket: Socket): boolean => socket.write(OBJECT);
const customer = { body: { name: 'Ana' } };
const later = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
const isProof = (request: string): boolean => request.startsWith('HEAD / ');

let system: ProxySystem;
let balancers: Server[];
beforeEach(() => {
  system = new ProxySystem();
  balancers = [];
});
afterEach(async () => {
  await system.stop();
  for (const server of balancers) server.close();
});

/** One address before several processes. */
async function balanced(upstreams: RawUpstream[]): Promise<string> {
  const { origin, server } = await startBalancer(upstreams);
  balancers.push(server);
  return origin;
}

async function twoOf(timeouts: Partial<Timeouts> = { deadline: DEADLINE }) {
  const [one, two] = [await system.raw(answers), await system.raw(answers)] as const;
  const { call } = await (await system.gateway([one.origin, two.origin], timeouts)).account();
  return { one, two, call };
}

test('what a hung replica does not answer is sent to the other, a write under the same command', async () => {
  const { one, two, call } = await twoOf();
  one.hangs = true;
  const all = await Promise.all([1, 2].flatMap(() => [call('POST', '/v1/customers', customer), call('GET', '/v1/customers')]));
  expect(all.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  const hung = one.requests.filter((request) => request.startsWith('POST'));
  expect(hung.length).toBeGreaterThan(0);
  expect(two.commands()).toEqual(expect.arrayContaining(one.commands()));
});

test('no further request waits for a hung replica, until it answers again', async () => {
  const { one, call } = await twoOf();
  one.hangs = true;
  await Promise.all([1, 2].map(() => call('GET', '/v1/customers')));
  const before = one.requests.filter((request) => !isProof(request)).length;
  for (let n = 0; n < 30; n += 1) {
    expect((await call('GET', '/v1/customers')).status).toBe(200);
    await later(100);
  }
  expect(one.requests.filter((request) => !isProof(request))).toHaveLength(before);
  expect(one.requests.some(isProof)).toBe(true);
  one.hangs = false;
  await later(2_000);
  for (let n = 0; n < 4; n += 1) await call('GET', '/v1/customers');
  expect(one.requests.filter((request) => !isProof(request)).length).toBeGreaterThan(before);
});

test('behind one address the connections to a hung process are left, and new ones are proven', async () => {
  const [one, two] = [await system.raw(answers), await system.raw(answers)] as const;
  const origin = await balanced([one, two]);
  const { call } = await (await system.gateway([origin], { deadline: DEADLINE })).account();
  const many = (): Promise<number[]> =>
    Promise.all(Array.from({ length: 8 }, () => call('GET', '/v1/customers'))).then((all) => all.map(({ status }) => status));
  expect(await many()).toEqual(Array(8).fill(200));
  one.hangs = true;
  expect(await many()).toEqual(Array(8).fill(200));
  const before = one.requests.filter((request) => !isProof(request)).length;
  for (let n = 0; n < 3; n += 1) expect(await many()).toEqual(Array(8).fill(200));
  expect(one.requests.filter((request) => !isProof(request))).toHaveLength(before);
});

test('a replica that answers others is busy: a slow answer is waited for, and asked for once', async () => {
  let asked = 0;
  const react = (socket: Socket, request: string): unknown => {
    if (!request.includes('/cust_')) return socket.write(OBJECT);
    asked += 1;
    return setTimeout(() => socket.write(OBJECT), 4 * DEADLINE);
  };
  const origins = [(await system.raw(react)).origin, (await system.raw(react)).origin];
  const { call } = await (await system.gateway(origins, { deadline: DEADLINE })).account();
  const slow = call('GET', `/v1/customers/cust_${'0'.repeat(26)}`);
  for (let n = 0; n < 24; n += 1) {
    await later(DEADLINE / 6);
    await call('GET', '/v1/customers');
  }
  expect([(await slow).status, asked]).toEqual([200, 1]);
});

test('behind one address a hung process is found by what it does not answer, while the other answers', async () => {
  const [one, two] = [await system.raw(answers), await system.raw(answers)] as const;
  const origin = await balanced([one, two]);
  const { call } = await (await system.gateway([origin], { deadline: DEADLINE })).account();
  one.hangs = true;
  const under: Promise<number>[] = [];
  for (let n = 0; n < 60; n += 1) {
    const sent = n % 2 ? call('GET', '/v1/customers') : call('POST', '/v1/customers', customer);
    under.push(sent.then(({ status }) => status));
    await later(DEADLINE / 6);
  }
  expect(await Promise.all(under)).toEqual(Array(60).fill(200));
  expect(one.requests.filter((request) => !isProof(request)).length).toBeLessThan(15);
});

test('what may take long is sent to another replica once a new connection to the first is not answered either', async () => {
  const { one, call } = await twoOf({ look: DEADLINE, deadline: 60_000 });
  one.hangs = true;
  const all = await Promise.all([1, 2].map(() => call('GET', '/v1/customers')));
  expect(all.map(({ status }) => status)).toEqual([200, 200]);
});

test('where all replicas hang, a read is 503 and a write outcome_unknown, and few are sent twice', async () => {
  const hung = await system.raw(answers);
  hung.hangs = true;
  const timeouts = { deadline: DEADLINE, connect: 500, unreached: 1_500 };
  const { call } = await (await system.gateway([hung.origin], timeouts)).account({ burst: 200, plan: 1_000 });
  const [read, write] = await Promise.all([call('GET', '/v1/customers'), call('POST', '/v1/customers', customer)]);
  expect([code(read), code(write)]).toEqual(['503 service_unavailable', '500 outcome_unknown']);
  const sent = hung.requests.filter((request) => !isProof(request)).length;
  await Promise.all(Array.from({ length: 100 }, () => call('GET', '/v1/customers')));
  expect(hung.requests.filter((request) => !isProof(request)).length - sent).toBeLessThanOrEqual(100 + 20 + 10);
});
