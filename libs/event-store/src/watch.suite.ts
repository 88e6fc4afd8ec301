import { createIds, prefixed, systemClock, type NewEvent } from '@svc/kernel';
import { until } from '@svc/kernel/testing/until';
import type { EventStore } from './port.ts';

/** Part of the suite of the event store port: reports of appends. */
export function watchSuite(fixture: () => { store: EventStore; account: string }): void {
  describe('watch', () => {
    const ids = createIds(systemClock);
    const stops: (() => unknown)[] = [];
    afterEach(async () => {
      for (const stop of stops.splice(0)) await stop();
    });

    const newStream = (): string => `invoice-test.${fixture().account}.${prefixed('inv', ids.next())}`;
    const events = (count: number): NewEvent[] =>
      Array.from({ length: count }, (_, n) => ({
        ...{ id: ids.next(), type: 'Happened', data: { n } },
        metadata: { v: 1, account: fixture().account, env: 'test' },
      }));

    /** `stream revision` of what is reported of this test's streams. */
    function watch() {
      const { store, account } = fixture();
      const seen: string[] = [];
      const { begun, stop } = store.watch((of, revision) => void (of.includes(account) && seen.push(`${of} ${revision}`)));
      stops.push(stop);
      return { seen, begun, stop };
    }

    test.each(['without a subscription', 'beside a subscription'])('reports every append after it has begun, %s', async (way) => {
      const { store } = fixture();
      const [stream, other] = [newStream(), newStream()];
      await store.append(stream, 'none', events(1));
      if (way === 'beside a subscription') {
        let isLive = false;
        stops.push(store.subscribe('start', async ({ caughtUp }) => void (isLive ||= caughtUp)));
        await until(() => isLive);
      }
      const { seen, begun } = watch();
      await begun;
      await store.append(stream, 0n, events(2));
      await store.append(other, 'none', events(1));
      const expected = [`${stream} 1`, `${stream} 2`, `${other} 0`];
      await until(() => expected.every((one) => seen.includes(one)));
      await store.append(stream, 2n, events(1));
      await until(() => seen.includes(`${stream} 3`));
    });

    test('one that has ended reports nothing; a later one what is appended then', async () => {
      const { store } = fixture();
      const stream = newStream();
      const [first, second] = [watch(), watch()];
      await Promise.all([first.begun, second.begun]);
      first.stop();
      await store.append(stream, 'none', events(1));
      await until(() => second.seen.length > 0);
      second.stop();
      const third = watch();
      await third.begun;
      await store.append(stream, 0n, events(1));
      await until(() => third.seen.includes(`${stream} 1`));
      expect([first.seen, second.seen]).toEqual([[], [`${stream} 0`]]);
    });
  });
}
