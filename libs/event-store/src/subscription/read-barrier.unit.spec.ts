import { FakeClock, type Position, type Recorded } from '@svc/kernel';
import { register } from 'prom-client';
import type { EventStore } from '../port.ts';
import { positionWaiters } from './checkpoint.ts';
import { createReadBarrier } from './read-barrier.ts';

const readable = (): Promise<void> => Promise.resolve();
const clock = new FakeClock();
const base = { refusesWrites: () => false, subscribe: () => async () => undefined };

describe('read barrier', () => {
  test('waits for the head at the time of the call, whatever is written meanwhile', async () => {
    const waiters = positionWaiters(clock);
    let head = 5n;
    const { barrier } = createReadBarrier({ store: { ...base, head: async () => head }, subscription: waiters, clock, readable });
    const passed: string[] = [];
    const list = barrier().then(() => passed.push('list'));
    await clock.advance(10);
    head = 1_000n;
    waiters.advance(4n);
    await clock.advance(10);
    expect(passed).toEqual([]);
    waiters.advance(5n);
    await list;
    expect(passed).toEqual(['list']);
  });

  test('fails within a second where the rows cannot be read, since the subscription cannot get on either', async () => {
    const away = new Error('the document store does not answer');
    const { barrier } = createReadBarrier({
      ...{ store: { ...base, head: async () => 7n }, subscription: positionWaiters(clock), clock },
      readable: () => Promise.reject(away),
    });
    const refused = barrier().catch((error: unknown) => error);
    await clock.advance(1_000);
    expect(await refused).toBe(away);
  });

  test('the time to read the head counts', async () => {
    const slow = { ...base, head: () => clock.sleep(1_500).then(() => 7n) };
    let refused: unknown;
    const { barrier } = createReadBarrier({ store: slow, subscription: positionWaiters(clock), clock, readable });
    void barrier().catch((error: unknown) => (refused = error));
    await clock.advance(9_999);
    expect(refused).toBeUndefined();
    await clock.advance(1);
    expect(refused).toMatchObject({ code: 'service_unavailable' });
    expect(await register.getSingleMetricAsString('svc_read_barrier_timeouts_total')).toMatch(/^svc_read_barrier_timeouts_total 1$/m);
  });
});

describe('a list while the disk takes no writes', () => {
  /** A store with one event a position, recorded at 10,000 ms times its position. */
  const fullStore = (isFull: () => boolean) => ({
    head: async () => 5n,
    refusesWrites: isFull,
    subscribe: (from: Position | 'start', handle: Parameters<EventStore['subscribe']>[1]) => {
      const position = from === 'start' ? 1n : from + 1n;
      void handle({ events: [{ position, recordedAt: Number(position) * 10_000 } as Recorded], position, caughtUp: true });
      return async () => undefined;
    },
  });

  test('is answered with a time five seconds before the first event that it lacks, also where it waited before', async () => {
    const waiters = positionWaiters(clock);
    waiters.advance(3n);
    let isFull = false;
    const { asOf, barrier } = createReadBarrier({ store: fullStore(() => isFull), subscription: waiters, clock, readable });
    const list = asOf();
    const decision = barrier().catch((error: Error) => error.message);
    await clock.advance(1_000);
    isFull = true;
    await clock.advance(250);
    expect(await list).toBe('1970-01-01T00:00:35.000Z');
    await clock.advance(9_000);
    expect(await decision).toContain('does not show the newest changes');
  });

  test('is whole where it lacks nothing', async () => {
    const waiters = positionWaiters(clock);
    waiters.advance(5n);
    const { asOf } = createReadBarrier({ store: fullStore(() => true), subscription: waiters, clock, readable });
    expect(await asOf()).toBeUndefined();
  });
});
