import { FakeClock } from '@svc/kernel';
import { Health } from './health.ts';
import { jobProgress } from './progress.ts';

/** Checks `state` every ten seconds, as an orchestrator does. */
function watched() {
  const clock = new FakeClock();
  const health = new Health(clock);
  const state = { waiting: true, reached: 1n, server: true as true | string };
  health.registerServer('kafka', () => state.server);
  health.registerProgress('relay', { waiting: () => state.waiting, reached: () => state.reached });
  const after = async (seconds: number): Promise<string | undefined> => {
    for (let passed = 0; passed < seconds; passed += 10) {
      await health.live();
      await clock.advance(10_000);
    }
    return (await health.live()).checks.relay;
  };
  return { health, state, after };
}

describe('background work', () => {
  test('fails without progress for two minutes while something waits', async () => {
    const { health, after } = watched();
    expect(await after(110)).toBe('ok');
    expect(await after(10)).toBe('has not moved for 120 s');
    expect((await health.live()).ok).toBe(false);
    expect((await health.ready()).ok).toBe(true);
  });

  test('passes with progress, however much waits, and while nothing waits', async () => {
    const { state, after } = watched();
    for (let round = 0; round < 5; round += 1) {
      expect(await after(100)).toBe('ok');
      state.reached += 1n;
    }
    state.waiting = false;
    expect(await after(300)).toBe('ok');
    state.waiting = true;
    expect(await after(110)).toBe('ok');
  });

  test('passes while a server is down, and for two minutes after it is back', async () => {
    const { health, state, after } = watched();
    state.server = 'does not answer';
    expect(await after(600)).toBe('ok');
    expect(await health.ready()).toMatchObject({ ok: false, checks: { kafka: 'does not answer' } });
    state.server = true;
    expect(await after(100)).toBe('ok');
    expect(await after(200)).toMatch(/has not moved/);
  });

  test('passes when the check of waiting work throws', async () => {
    const clock = new FakeClock();
    const health = new Health(clock);
    health.registerProgress('due', { waiting: () => Promise.reject(new Error('away')), reached: () => 1 });
    await health.live();
    await clock.advance(500_000);
    expect((await health.live()).ok).toBe(true);
  });
});

test('due documents make no progress while the first one does not change', async () => {
  const clock = new FakeClock();
  const rows = [{ _id: 'a', version: 1, due_at: clock.now() }];
  const work = jobProgress({ find: () => rows.values() as never }, clock);
  const health = new Health(clock);
  health.registerProgress('deliveries', work);
  const after = async (ms: number): Promise<boolean> => {
    await health.live();
    await clock.advance(ms);
    return (await health.live()).ok;
  };
  expect(await after(119_000)).toBe(true);
  expect(await after(2_000)).toBe(false);
  rows[0] = { _id: 'a', version: 2, due_at: clock.now() }; // tried and due again
  expect(await after(119_000)).toBe(true);
  rows[0] = { _id: 'b', version: 1, due_at: clock.now() + 500_000 };
  expect(await after(400_000)).toBe(true);
  rows.length = 0;
  expect(await after(400_000)).toBe(true);
});
