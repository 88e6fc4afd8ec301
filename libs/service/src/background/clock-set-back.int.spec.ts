import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { embeddedDocumentStore, type DocumentStore, type SetBack } from '@svc/document-store';
import { Engine } from '@svc/embedded';
import { systemClock, type Clock } from '@svc/kernel';
import { until } from '@svc/kernel/testing/until';
import { createLogger } from '../logging/logger.ts';
import { clockSetBack, NOTED_TIME } from './clock-set-back.ts';

const HOUR_MS = 3_600_000;
const logger = createLogger({ level: 'silent', service: 'test' });
const folder = mkdtempSync(join(tmpdir(), 'clock-set-back-'));
const engine = Engine.open(folder, { durable: false });
afterAll(() => {
  engine.close();
  rmSync(folder, { recursive: true });
});
let databases = 0;
let documents: DocumentStore;
let ahead: number;
const clock: Clock = { ...systemClock, now: () => systemClock.now() + ahead };
beforeEach(() => {
  documents = embeddedDocumentStore(engine, `db${(databases += 1)}`);
  ahead = 20 * 24 * HOUR_MS;
});

/** A process, whose look at the clock takes a hundredth of its time. `behind`: its own clock. */
function process(setBack: (by: SetBack) => Promise<void> = async () => undefined, { behind = (): number => 0 } = {}) {
  const moved: number[] = [];
  const note = async (by: SetBack): Promise<void> => {
    moved.push(by.ms);
    await setBack(by);
  };
  const own: Clock = { ...clock, now: () => clock.now() - behind() };
  const running = clockSetBack({ documents, work: [{ setBack: note }, {}], clock: own, logger, timeScale: 100 }).start();
  return { moved, stop: () => running.stop() };
}
const isNoted = async (): Promise<boolean> => {
  const noted = await documents.collection<{ _id: string; version: number; at: number }>(NOTED_TIME).get(NOTED_TIME);
  return noted !== undefined && Math.abs(noted.at - clock.now()) < 10_000;
};
/** Ten looks. */
const looks = () => systemClock.sleep(1_000);

test('a clock that is set back while a process runs moves what waits, once, by as much', async () => {
  const running = process();
  await until(isNoted);
  ahead -= HOUR_MS;
  await until(() => running.moved.length > 0);
  await looks();
  expect(running.moved).toEqual([expect.any(Number)]);
  expect(Number.isInteger(running.moved[0])).toBe(true);
  expect(Math.abs((running.moved[0] ?? 0) - HOUR_MS)).toBeLessThan(1_000);
  expect(await isNoted()).toBe(true);
  await running.stop();
});

test('one that is set back between two processes is noticed by the next one, and by no later one', async () => {
  const first = process();
  await until(isNoted);
  await first.stop();
  ahead = 0;
  const second = process();
  await until(() => second.moved.length > 0);
  expect(Math.abs((second.moved[0] ?? 0) - 20 * 24 * HOUR_MS)).toBeLessThan(10_000);
  await until(isNoted);
  await second.stop();
  const third = process();
  await looks();
  expect([second.moved.length, third.moved.length]).toEqual([1, 0]);
  await third.stop();
});

test.each([61_000, 5 * 60_000])(
  'a process whose clock is %d ms behind that of one that runs moves nothing at its start',
  async (behind) => {
    const running = process();
    await until(isNoted);
    const slow = process(undefined, { behind: () => behind });
    await systemClock.sleep(2_500);
    expect(slow.moved).toEqual([]);
    await slow.stop();
    await running.stop();
  },
);

test('of two processes that start when the clock was set back one moves what waits, also where it takes long', async () => {
  const first = process();
  await until(isNoted);
  await first.stop();
  ahead = 0;
  const longer = () => systemClock.sleep(1_500);
  const started = [process(longer)];
  await systemClock.sleep(300);
  started.push(process(longer));
  const moved = () => started.flatMap((one) => one.moved);
  await until(() => moved().length > 0);
  await until(isNoted);
  await looks();
  expect(moved()).toHaveLength(1);
  for (const one of started) await one.stop();
});

test.each(['at once', 'one after the other'])(
  'of two processes whose clocks are set back while they run, %s, one moves what waits',
  async (how) => {
    const behind = { one: 0, other: 0 };
    const running = [process(undefined, { behind: () => behind.one }), process(undefined, { behind: () => behind.other })];
    await until(isNoted);
    behind.one = HOUR_MS;
    if (how !== 'at once') await systemClock.sleep(400);
    behind.other = HOUR_MS;
    const moved = () => running.flatMap((one) => one.moved);
    await until(() => moved().length > 0);
    await looks();
    await looks();
    expect(moved()).toHaveLength(1);
    for (const one of running) await one.stop();
  },
);

test('a process that starts while another one moves what waits moves nothing', async () => {
  const running = process(() => systemClock.sleep(1_500));
  await until(isNoted);
  ahead -= HOUR_MS;
  await until(() => running.moved.length > 0);
  const next = process();
  await looks();
  await looks();
  expect([running.moved.length, next.moved]).toEqual([1, []]);
  await next.stop();
  await running.stop();
});

test('what a process does not move to its end is moved by the one that runs beside it', async () => {
  const running = [0, 1].map(() => process(({ stopped }) => systemClock.sleep(60_000, stopped)));
  await until(isNoted);
  ahead -= HOUR_MS;
  const mover = () => running.findIndex(({ moved }) => moved.length > 0);
  await until(() => mover() >= 0);
  const [ended, other] = mover() === 0 ? running : running.toReversed();
  await ended?.stop();
  await until(() => other?.moved.length === 1);
  await other?.stop();
});

test('what waits by a clock that was ahead is moved beside a process that notes right times', async () => {
  const first = process();
  await until(isNoted);
  await first.stop();
  ahead = 0;
  const next = process();
  await systemClock.sleep(300);
  await documents
    .collection<{ _id: string; version: number; at: number }>(NOTED_TIME)
    .claim({ _id: NOTED_TIME }, { set: { at: clock.now() } });
  await until(() => next.moved.length > 0);
  await next.stop();
});

test('what a process could not move before it ended is moved by the next one', async () => {
  const first = process();
  await until(isNoted);
  await first.stop();
  ahead = 0;
  const begun = Promise.withResolvers<void>();
  const ended = process(async ({ stopped }) => {
    begun.resolve();
    await new Promise<void>((resolve) => stopped.addEventListener('abort', () => resolve()));
  });
  await begun.promise;
  await ended.stop();
  const next = process();
  await until(() => next.moved.length > 0);
  await next.stop();
});

test('a clock that is set forward, or back by less than a minute, moves nothing', async () => {
  const running = process();
  await until(isNoted);
  ahead += HOUR_MS;
  await looks();
  ahead -= 50_000;
  await looks();
  await running.stop();
  const next = process();
  await looks();
  expect([running.moved, next.moved]).toEqual([[], []]);
  await next.stop();
});
