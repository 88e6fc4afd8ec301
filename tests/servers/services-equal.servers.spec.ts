import { client, startAs, startReceiver, type System } from '@svc/testkit';
import type { Seen } from '../e2e/testing/checked-client.ts';
import { provokeErrors } from '../e2e/testing/errors.ts';
import { tour } from '../e2e/testing/tour.ts';
import { missingIn, shapesOf } from './testing/shape.ts';

let receiver: Awaited<ReturnType<typeof startReceiver>>;
/** One process, and separate services. */
let systems: System[];
beforeAll(async () => {
  receiver = await startReceiver();
  const env = { WEBHOOKS_ALLOW: receiver.origin, REQUIRE_HTTPS: 'true' };
  systems = await Promise.all([startAs('one process', env), startAs('services', env)]);
});
afterAll(async () => {
  for (const system of systems ?? []) await system.stop();
  await receiver.close();
});

test('have the same published document', async () => {
  const [one, services] = await Promise.all(
    systems.map(async ({ url }) => (await client(url)('GET', '/openapi.json')).text.replaceAll(new URL(url).port, 'PORT')),
  );
  expect(services).toBe(one);
});

test('answer every route and every error in the same form', async () => {
  const [one, services] = (await Promise.all(
    systems.map(async (system) => {
      const seen: Seen[] = [];
      const { refused } = await tour(system, receiver.origin, (answer) => seen.push(answer));
      expect(refused).toEqual([]);
      await provokeErrors(system, (answer) => seen.push(answer));
      return seen;
    }),
  )) as [Seen[], Seen[]];
  expect(shapesOf(one).size).toBeGreaterThan(60);
  expect(missingIn(one, services)).toEqual([]);
  expect(missingIn(services, one)).toEqual([]);
});
