import type { Socket } from 'node:net';
import { until } from '@svc/kernel/testing/until';
import { ProxySystem } from '../testing/proxy-system.ts';
import { httpAnswer } from '../testing/raw-upstream.ts';

/** Of 1,024 connections: seven tenths. */
const MOST_OF_ONE = 716;
const OBJECT = httpAnswer('200 OK', '{"object":"customer"}');

let system: ProxySystem;
beforeEach(() => void (system = new ProxySystem()));
afterEach(() => system.stop());

test('an account whose requests are not answered takes no more than its share of the connections to a service, and others are answered', async () => {
  const held: Socket[] = [];
  const upstream = await system.raw((socket, request) =>
    request.startsWith('GET /v1/products') ? held.push(socket) : socket.write(OBJECT),
  );
  const gateway = await system.gateway([upstream.origin]);
  const [one, other] = [await gateway.account(), await gateway.account()];
  const asked = Array.from({ length: 900 }, async () => (await one.call('GET', '/v1/products')).status);
  await until(() => held.length >= MOST_OF_ONE);
  const statuses = await Promise.all(Array.from({ length: 200 }, async () => (await other.call('GET', '/v1/customers')).status));
  expect(statuses).toEqual(Array(200).fill(200));
  expect(held.length).toBe(MOST_OF_ONE);
  // What is over its share is sent once there are answers.
  const answering = setInterval(() => held.splice(0).forEach((socket) => socket.write(OBJECT)), 10);
  expect(await Promise.all(asked)).toEqual(Array(900).fill(200));
  clearInterval(answering);
}, 60_000);
