import type { ReadUntil } from '@svc/event-bus';
import { createProgress } from './progress.ts';

const SINCE = 1_000;

/** What is known of a process that began at 1,000, after each count of the bus. */
async function built(...counts: Partial<ReadUntil>[]): Promise<boolean[]> {
  let now: ReadUntil = { published: -Infinity, stored: -Infinity, putAside: {}, empty: false };
  const bus = { readUntil: async () => now, deadLetters: { oldestOf: async () => undefined } };
  const progress = createProgress(bus as never, { now: () => SINCE });
  const answers: boolean[] = [];
  for (const count of counts) {
    now = { ...now, ...count };
    answers.push(await progress.isBuilt());
  }
  return answers;
}

test('postings are built once all before the start is read, and a publisher has said that the history is whole', async () => {
  expect(await built({}, { published: 900 }, { published: 1_100 }, { published: 1_200, stored: 1_150 })).toEqual([
    false,
    false,
    false,
    true,
  ]);
});

test('a process that began before anything was published has all of it, also before a publisher has said so', async () => {
  expect(await built({ published: 1_100, empty: true }, { published: 1_200, empty: false })).toEqual([true, true]);
});

test('one that began later waits for the publisher', async () => {
  expect(await built({ published: 900, empty: true }, { published: 1_200, empty: false })).toEqual([false, false]);
});
