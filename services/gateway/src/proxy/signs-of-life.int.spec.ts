import type { Server, Socket } from 'node:net';
import { systemClock } from '@svc/kernel';
import { startBalancer } from '../testing/balancer.ts';
import { code } from '../testing/call.ts';
import { ProxySystem } from '../testing/proxy-system.ts';
import { httpAnswer, type RawUpstream } from '../testing/raw-upstream.ts';
import { made, type Work } from '../testing/stub-service.ts';
import type { Timeouts } from './deadlines.ts';

const LOOK = 400;
const SIGN = 'HTTP/1.1 102 Processing\r\n\r\n';
const OBJECT = httpAnswer('200 OK', '{"object":"customer"}');
const LATE = '/v1/products';
const SLOW = /^(GET \/v1\/products|POST)/;
const isSlow = (request: string): boolean => SLOW.test(request);

let system: ProxySystem;
let balancers: Server[];
let signing: NodeJS.Timeout[];
beforeEach(() => {
  system = new ProxySystem();
  [balancers, signing] = [[], []];
});
afterEach(async () => {
  for (const signs of signing) clearInterval(signs);
  await system.stop();
  for (const server of balancers) server.close();
});

/** Says on this connection that it is alive, as long as `while` holds. */
function sign(socket: Socket, holds: () => boolean): void {
  signing.push(setInterval(() => holds() && !socket.destroyed && socket.write(SIGN), LOOK / 8));
}

/** Answers late what is slow, with signs of life meanwhile, and all else at once. */
function waiting(answersAfter: number) {
  return (socket: Socket, request: string): void => {
    if (!isSlow(request)) return void socket.write(OBJECT);
    let waits = true;
    sign(socket, () => waits);
    setTimeout(() => {
      waits = false;
      socket.write(OBJECT);
    }, answersAfter);
  };
}

async function behind(upstreams: RawUpstream[], timeouts: Partial<Timeouts>) {
  const { origin, server } = await startBalancer(upstreams);
  balancers.push(server);
  return (await system.gateway([origin], timeouts)).account();
}

test.each([
  ['a list', 'GET', LATE, {}],
  ['a write', 'POST', '/v1/customers', { body: { name: 'Ana' } }],
  ['what waits for an outcome', 'POST', '/v1/invoices/inv_1/submit', { body: {}, headers: { prefer: 'wait=20' } }],
] as const)(
  '%s that waits in the only process, past its deadline and with signs of life, is asked for once, and no connection is proven',
  async (_what, method, path, rest) => {
    const one = await system.raw(waiting(5 * LOOK));
    const { call } = await behind([one], { look: LOOK, deadline: LOOK });
    expect((await call(method, path, rest)).status).toBe(200);
    const statuses = await Promise.all(Array.from({ length: 8 }, async () => (await call('GET', '/v1/customers')).status));
    expect(statuses).toEqual(Array(8).fill(200));
    expect([one.requests.filter(isSlow).length, one.proofs]).toEqual([1, 0]);
  },
);

test('what waits in one of two processes behind one address, while the other answers, is asked for once', async () => {
  const [one, two] = [await system.raw(waiting(5 * LOOK)), await system.raw(waiting(5 * LOOK))] as const;
  const { call } = await behind([one, two], { look: LOOK, deadline: LOOK });
  const late = [1, 2, 3, 4].map(async () => (await call('GET', LATE)).status);
  for (let n = 0; n < 12; n += 1) {
    expect((await call('GET', '/v1/customers')).status).toBe(200);
    await systemClock.sleep(LOOK / 4);
  }
  expect(await Promise.all(late)).toEqual([200, 200, 200, 200]);
  expect([...one.requests, ...two.requests].filter(isSlow)).toHaveLength(4);
  expect([one.proofs, two.proofs]).toEqual([0, 0]);
});

test('a process that stops while requests wait in it has no more signs: they are sent to the other, a write under the same command', async () => {
  const hung = await system.raw((socket) => sign(socket, () => !hung.hangs));
  const other = await system.raw((socket) => void socket.write(OBJECT));
  const upstreams = [hung];
  const { call } = await behind(upstreams, { look: LOOK });
  const late = [call('GET', LATE), call('POST', '/v1/customers', { body: { name: 'Ana' } })];
  await systemClock.sleep(2 * LOOK);
  upstreams[0] = other;
  hung.hangs = true;
  const began = Date.now();
  expect((await Promise.all(late)).map(({ status }) => status)).toEqual([200, 200]);
  expect(Date.now() - began).toBeLessThan(4_000); // and not the 10 s of its deadline
  expect(other.commands()).toEqual(expect.arrayContaining(hung.commands()));
});

test.each([
  ['says in its answers that it has signs', ['x-svc-signs: 1'], 2],
  ['does not say so, as release 0.1.0', [], 1],
] as const)(
  'what a process that %s does not answer, nor has a sign of, while another at its address answers, is asked for as often as that allows',
  async (_, headers, times) => {
    const answer = httpAnswer('200 OK', '{"object":"customer"}', [...headers]);
    let asked = 0;
    const react = (socket: Socket, request: string): unknown => {
      if (!isSlow(request)) return socket.write(answer);
      asked += 1;
      return asked === 1 ? setTimeout(() => socket.write(answer), 4 * LOOK) : socket.write(answer);
    };
    const { call } = await behind([await system.raw(react), await system.raw(react)], { look: LOOK });
    await call('GET', '/v1/customers');
    const late = call('GET', LATE);
    for (let n = 0; n < 12; n += 1) {
      expect((await call('GET', '/v1/customers')).status).toBe(200);
      await systemClock.sleep(LOOK / 4);
    }
    expect([(await late).status, asked]).toEqual([200, times]);
  },
);

test('what is never answered ends after its time, whatever signs of life it has', async () => {
  const one = await system.raw((socket) => sign(socket, () => true));
  const { call } = await behind([one], { look: LOOK, deadline: LOOK, answer: 4 * LOOK });
  const [read, write] = await Promise.all([call('GET', LATE), call('POST', '/v1/customers', { body: { name: 'Ana' } })]);
  expect([code(read), code(write)]).toEqual(['503 service_unavailable', '500 outcome_unknown']);
  expect(one.requests.filter(isSlow)).toHaveLength(2);
});

test('a service says of its own accord that a request waits in it', async () => {
  const work: Work = { commands: [], run: async (request) => (await systemClock.sleep(6_000), made(request)) };
  const { origin } = await system.stub(work);
  const { call } = await (await system.gateway([origin], { look: 2_500, deadline: 2_500 })).account();
  expect((await call('POST', '/v1/customers', { body: { name: 'Ana' } })).status).toBe(201);
  expect(work.commands).toHaveLength(1);
}, 20_000);
