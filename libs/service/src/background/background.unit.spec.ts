import { register } from 'prom-client';
import type { Work } from '../health/progress.ts';
import { createBackground, type BackgroundWork, type RunningWork } from './background.ts';

function stage(works: Record<string, Partial<RunningWork>>) {
  const log: string[] = [];
  const progress = new Map<string, Work>();
  const work: BackgroundWork[] = Object.entries(works).map(([name, running]) => ({
    name,
    start() {
      log.push(`start ${name}`);
      return { stop: async () => void log.push(`stop ${name}`), ...running };
    },
  }));
  const health = { registerProgress: (name: string, of: Work) => void progress.set(name, of) };
  const close = async (): Promise<void> => void log.push('close');
  return { log, progress, background: createBackground({ service: 'things', health, work, close }) };
}
const lag = async () => register.getSingleMetricAsString('svc_subscription_lag_seconds');

test('starts all work once, stops all of it, then closes', async () => {
  const { log, background } = stage({ relay: {}, due: {} });
  expect([log, background.ready()]).toEqual([[], 'has not started']);
  background.onApplicationBootstrap();
  expect([log, background.ready()]).toEqual([['start relay', 'start due'], true]);
  await background.beforeApplicationShutdown();
  expect(log).toEqual(['start relay', 'start due', 'stop relay', 'stop due', 'close']);
});

test('closes only when the slowest work has stopped', async () => {
  const draining = Promise.withResolvers<void>();
  const { log, background } = stage({ slow: { stop: () => draining.promise }, fast: {} });
  background.onApplicationBootstrap();
  const stopped = background.beforeApplicationShutdown();
  await new Promise((resolve) => setImmediate(resolve));
  expect(log).not.toContain('close');
  draining.resolve();
  await stopped;
  expect(log.at(-1)).toBe('close');
});

test('closes without having started', async () => {
  const { log, background } = stage({ relay: {} });
  await background.beforeApplicationShutdown();
  expect(log).toEqual(['close']);
});

test('registers the progress of work that reports it, and exports its lag until it stops', async () => {
  const watched = { waiting: () => true, reached: () => 1 };
  const { progress, background } = stage({ relay: { progress: watched, lagSeconds: async () => 3 }, due: {} });
  background.onApplicationBootstrap();
  expect([...progress]).toEqual([['things.relay', watched]]);
  expect(await lag()).toContain('svc_subscription_lag_seconds{subscription="things.relay"} 3');
  await background.beforeApplicationShutdown();
  expect(await lag()).not.toContain('things.relay');
});

test('is ready once all work has caught up', () => {
  const behind = new Set(['a', 'b']);
  const { background } = stage({ a: { isCaughtUp: () => !behind.has('a') }, b: { isCaughtUp: () => !behind.has('b') }, due: {} });
  background.onApplicationBootstrap();
  expect(background.ready()).toBe('not caught up yet: a, b');
  behind.delete('a');
  expect(background.ready()).toBe('not caught up yet: b');
  behind.delete('b');
  expect(background.ready()).toBe(true);
});
