import { FakeClock } from '@svc/kernel';
import { register } from 'prom-client';
import { positionWaiters } from './checkpoint.ts';
import { createReadBarrier } from './read-barrier.ts';

const readable = (): Promise<void> => Promise.resolve();

describe('read barrier', () => {
  test('waits for the head at the time of the call, whatever is written meanwhile', async () => {
    const clock = new FakeClock();
    const waiters = positionWaiters(clock);
    let head = 5n;
    const barrier = createReadBarrier({ store: { head: async () => head }, subscription: waiters, clock, readable });
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
    const clock = new FakeClock();
    const away = new Error('the document store does not answer');
    const barrier = createReadBarrier({
      ...{ store: { head: async () => 7n }, subscription: positionWaiters(clock), clock },
      readable: () => Promise.reject(away),
    });
    const refused = barrier().catch((error: unknown) => error);
    await clock.advance(1_000);
    expect(await refused).toBe(away);
  });

  test('the time to read the head counts', async () => {
    const clock = new FakeClock();
    const slow = { head: () => clock.sleep(1_500).then(() => 7n) };
    let refused: unknown;
    const barrier = createReadBarrier({ store: slow, subscription: positionWaiters(clock), clock, readable });
    void barrier().catch((error: unknown) => (refused = error));
    await clock.advance(9_999);
    expect(refused).toBeUndefined();
    await clock.advance(1);
    expect(refused).toMatchObject({ code: 'service_unavailable' });
    expect(await register.getSingleMetricAsString('svc_read_barrier_timeouts_total')).toMatch(/^svc_read_barrier_timeouts_total 1$/m);
  });
});
