import type { Server, Socket } from 'node:net';
import { startBalancer } from '../testing/balancer.ts';
import { ProxySystem } from '../testing/proxy-system.ts';
import { httpAnswer } from '../testing/raw-upstream.ts';

const LIFE = 300;
const AT_ONCE = 12;
const answers = (socket: Socket): boolean => socket.write(httpAnswer('200 OK', '{"object":"customer"}'));

let system: ProxySystem;
let balancer: Server | undefined;
beforeEach(() => {
  system = new ProxySystem();
});
afterEach(async () => {
  await system.stop();
  balancer?.close();
});

test('a replica that is added behind one address gets its share of the requests of connections that are busy all the time', async () => {
  const upstreams = [await system.raw(answers), await system.raw(answers)];
  const { origin, server } = await startBalancer(upstreams);
  balancer = server;
  const { call } = await (await system.gateway([origin], { life: LIFE })).account();
  const until = async (end: number): Promise<void> => {
    while (Date.now() < end) expect((await call('GET', '/v1/customers')).status).toBe(200);
  };
  const load = (ms: number) => Promise.all(Array.from({ length: AT_ONCE }, () => until(Date.now() + ms)));

  await load(LIFE);
  const added = await system.raw(answers);
  upstreams.push(added);
  await load(2 * LIFE);
  const before = upstreams.map(({ requests }) => requests.length);
  await load(5 * LIFE);
  const shares = upstreams.map(({ requests }, n) => requests.length - (before[n] ?? 0));
  const all = shares.reduce((sum, one) => sum + one, 0);
  expect((shares[2] ?? 0) / all).toBeGreaterThanOrEqual(0.2); // of a third, since connections are shared by chance
  expect(added.requests.length).toBeGreaterThan(AT_ONCE);
});

test('a response that takes longer than the life of its connection is received whole', async () => {
  const slow = await system.raw((socket) => setTimeout(answers, 3 * LIFE, socket));
  const { call } = await (await system.gateway([slow.origin], { life: LIFE })).account();
  const long = call('GET', '/v1/customers');
  const others = Array.from({ length: 4 }, (_, n) =>
    new Promise((resolve) => setTimeout(resolve, n * LIFE)).then(() => call('GET', '/v1/customers')),
  );
  expect((await Promise.all([long, ...others])).map(({ status }) => status)).toEqual(Array(5).fill(200));
});
