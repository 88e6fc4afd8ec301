import { FakeClock } from '@svc/kernel';
import { Health } from './health.ts';

describe('health', () => {
  test('is ready when all checks pass, and names those that fail and why', async () => {
    const health = new Health(new FakeClock());
    expect(await health.ready()).toEqual({ ok: true, checks: {} });
    let why: true | string = 'catching up';
    health.register('lists', () => why);
    health.register('store', () => Promise.resolve(true as const));
    expect(await health.ready()).toEqual({ ok: false, checks: { lists: 'catching up', store: 'ok' } });
    why = true;
    expect(await health.ready()).toEqual({ ok: true, checks: { lists: 'ok', store: 'ok' } });
  });

  test('a check that throws or hangs fails', async () => {
    const clock = new FakeClock();
    const health = new Health(clock);
    health.register('throws', () => {
      throw new Error('no connection');
    });
    health.register('hangs', () => new Promise(() => undefined));
    const asked = health.ready();
    await clock.advance(2_000);
    expect(await asked).toEqual({ ok: false, checks: { throws: 'no connection', hangs: 'no answer within 2000 ms' } });
    expect(clock.nextAt()).toBeUndefined();
  });

  test('a check that has to pass once is still reported, but does not affect readiness after that', async () => {
    const health = new Health(new FakeClock());
    let kafka: true | string = 'away';
    let relays = true;
    health.registerServer('kafka', () => kafka);
    health.registerLiveness('relay', () => relays || 'stuck');
    health.needOnce('kafka');
    expect(await health.ready()).toEqual({ ok: false, checks: { kafka: 'away' } });
    kafka = true;
    expect(await health.ready()).toEqual({ ok: true, checks: { kafka: 'ok' } });
    kafka = 'away';
    expect(await health.ready()).toEqual({ ok: true, checks: { kafka: 'away' } });
    relays = false;
    expect((await health.live()).ok).toBe(false);
  });

  test('a stopping process is not ready, but alive', async () => {
    const health = new Health(new FakeClock());
    health.registerLiveness('lease', () => true);
    health.stop();
    expect([(await health.ready()).ok, (await health.live()).ok]).toEqual([false, true]);
  });
});
