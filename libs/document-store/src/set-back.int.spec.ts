import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Engine } from '@svc/embedded';
import { FakeClock } from '@svc/kernel';
import { embeddedDocumentStore } from './embedded/document-store.ts';
import type { Job } from './jobs.ts';
import type { Collection } from './port.ts';
import { moveJobsBack } from './set-back.ts';

interface Call extends Job {
  next_at: number;
}

const folder = mkdtempSync(join(tmpdir(), 'set-back-'));
const engine = Engine.open(folder, { durable: false });
afterAll(() => {
  engine.close();
  rmSync(folder, { recursive: true });
});
const clock = new FakeClock();
const [MINUTE_MS, HOUR_MS] = [60_000, 3_600_000];
const by = { ms: HOUR_MS, clock, logger: { error: () => undefined }, stopped: new AbortController().signal };
let databases = 0;
let jobs: Collection<Call>;
beforeEach(() => {
  jobs = embeddedDocumentStore(engine, `db${(databases += 1)}`).collection<Call>('jobs', { indexes: [{ fields: ['due_at'] }] });
});

const add = (dues: Record<string, number | null>): Promise<unknown> =>
  jobs.write(
    Object.entries(dues).map(([_id, after]) => {
      const at = after === null ? null : clock.now() + after;
      return { insert: { _id, version: 1, due_at: at, next_at: at ?? 0 } };
    }),
  );
const dueAfter = async (_id: string): Promise<number> => ((await jobs.get(_id))?.due_at ?? NaN) - clock.now();

test('what waits does so by as much less, though no less than was meant; what a process has claimed stays', async () => {
  await add({ soon: HOUR_MS + 5_000, overdue: HOUR_MS - 5 * MINUTE_MS, tomorrow: 25 * HOUR_MS, claimed: 30_000, due: -1, never: null });
  await moveJobsBack(jobs, by);
  expect(await Promise.all(['soon', 'overdue', 'tomorrow', 'claimed', 'due', 'never'].map(dueAfter))).toEqual([
    ...[5_000, 0, 24 * HOUR_MS, 30_000, -1, NaN],
  ]);
});

test('each of many is moved once, with what else names a time', async () => {
  await add(Object.fromEntries(Array.from({ length: 450 }, (_, n) => [`job${n}`, 3 * HOUR_MS + (n % 3)])));
  await moveJobsBack(jobs, by, ({ next_at }, earlier) => ({ next_at: earlier(next_at) }));
  const moved = await Array.fromAsync(jobs.find({}));
  expect(new Set(moved.map(({ due_at }) => (due_at ?? 0) - clock.now()))).toEqual(new Set([0, 1, 2].map((ms) => 2 * HOUR_MS + ms)));
  expect(moved.every(({ due_at, next_at, version }) => due_at === next_at && version === 2)).toBe(true);
});

test('a store that does not answer is asked again: none is moved twice', async () => {
  await add({ one: 3 * HOUR_MS, other: 3 * HOUR_MS });
  let calls = 0;
  const away = <T>(done: T): T => {
    if ((calls += 1) % 2 === 1) throw new Error('the store is away');
    return done;
  };
  const shaky: Pick<Collection<Call>, 'find' | 'claim'> = {
    find: (...asked) => away(jobs.find(...asked)),
    claim: async (...asked) => away(await jobs.claim(...asked)),
  };
  const moving = moveJobsBack(shaky, by);
  await clock.advance(MINUTE_MS);
  await moving;
  expect(await Promise.all(['one', 'other'].map(dueAfter))).toEqual([2 * HOUR_MS - MINUTE_MS, 2 * HOUR_MS - MINUTE_MS]);
});
