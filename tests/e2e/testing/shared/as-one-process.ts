import { client, startAs, type System } from '@svc/testkit';
import { missingIn, shapesOf } from '../../../servers/testing/shape.ts';
import type { Seen } from '../checked-client.ts';
import { provokeErrors } from '../errors.ts';
import { tour } from '../tour.ts';
import type { Shared } from './shared-system.ts';

/** Separate services beside one process, which is started for it. */
export function testAsOneProcess(shared: () => Shared): void {
  let systems: [one: System, services: System];
  beforeAll(async () => {
    const { receiver, system } = shared();
    systems = [await startAs('one process', { WEBHOOKS_ALLOW: receiver.origin, REQUIRE_HTTPS: 'true' }), system];
  });
  afterAll(() => systems?.[0].stop());

  test('have the same published document', async () => {
    const [one, services] = await Promise.all(
      systems.map(async ({ url }) => (await client(url)('GET', '/openapi.json')).text.replaceAll(new URL(url).port, 'PORT')),
    );
    expect(services).toBe(one);
  });

  test('answer every route and every error in the same form', async () => {
    const { receiver } = shared();
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
}
