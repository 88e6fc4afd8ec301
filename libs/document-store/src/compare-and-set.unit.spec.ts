import { setImmediate as nextTurn } from 'node:timers/promises';
import { compareAndSet } from './compare-and-set.ts';
import type { Collection, Doc } from './port.ts';

interface Counter extends Doc {
  count: number;
}

/** A server that answers requests in the order of their arrival, all after the same time, so that replicas run in lockstep. */
function serverInStep(): Pick<Collection<Counter>, 'get' | 'insert' | 'claim'> & { count(): number } {
  let doc: Counter = { _id: 'c', version: 1, count: 0 };
  const answered = async <T>(work: () => T): Promise<T> => {
    await nextTurn();
    const answer = work();
    await nextTurn();
    return answer;
  };
  return {
    count: () => doc.count,
    get: () => answered(() => doc),
    insert: () => answered(() => false),
    claim: ({ version }, { set }) =>
      answered(() => {
        if (doc.version !== version) return [];
        doc = { ...doc, ...set, version: doc.version + 1 };
        return [doc];
      }),
  };
}

test.each([2, 3, 5])('of %i replicas in lockstep that keep changing one document, none loses every time', async (replicas) => {
  const server = serverInStep();
  const changes = 100;
  const replica = async (): Promise<void> => {
    for (let n = 0; n < changes; n += 1)
      await compareAndSet(server, 'c', { absent: () => undefined, change: ({ count }) => ({ count: count + 1 }), tries: 50 });
  };
  await Promise.all(Array.from({ length: replicas }, replica));
  expect(server.count()).toBe(replicas * changes);
});
