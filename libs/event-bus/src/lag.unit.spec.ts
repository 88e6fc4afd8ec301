import { topics } from '@svc/contracts/events/envelope';
import { FakeClock } from '@svc/kernel';
import { register } from 'prom-client';
import { Lag } from './lag.ts';

const subscription = { group: 'reporting', topic: topics.invoice };
const ours = new Set(['t[0]', 't[1]']);

describe('the lag of a group', () => {
  let clock: FakeClock;
  let lag: Lag;
  const count = (events: Record<string, number>): void => lag.counted(subscription, new Map(Object.entries(events)), ours);
  beforeEach(() => {
    clock = new FakeClock();
    lag = new Lag(clock);
  });

  test('is a metric by group and topic', async () => {
    count({ 't[0]': 2, 't[1]': 0, 't[2]': 5 });
    expect(await register.getSingleMetricAsString('svc_consumer_lag_events')).toContain(
      'svc_consumer_lag_events{group="reporting",topic="invoicing.invoice"} 7',
    );
  });

  test('reports no progress where events waited for two minutes and none was tried', async () => {
    count({ 't[0]': 2, 't[1]': 3 });
    await clock.advance(120_000);
    lag.moved('reporting', 't[1]');
    count({ 't[0]': 9, 't[1]': 3 });
    expect(lag.progress()).toBe(true);
    await clock.advance(1);
    expect(lag.progress()).toBe('no progress of reporting at t[0]');
    lag.moved('another', 't[0]');
    expect(lag.progress()).toBe('no progress of reporting at t[0]');
  });

  test.each<[string, () => void]>([
    ['the events are handled', () => count({ 't[0]': 0 })],
    ['a handler answered', () => lag.moved('reporting', 't[0]')],
    ['another process has the partition', () => lag.counted(subscription, new Map([['t[0]', 2]]), new Set())],
    ['the count fails', () => void lag.unknown(new Error('away'))],
  ])('is reset when %s', async (_why, happens) => {
    count({ 't[0]': 2 });
    await clock.advance(121_000);
    happens();
    expect(lag.progress()).toBe(true);
    count({ 't[0]': 1 });
    await clock.advance(119_000);
    expect(lag.progress()).toBe(true);
  });
});
