import type { PublicEvent } from '@svc/contracts/events/envelope';
import type { DocumentStore } from '@svc/document-store';
import { settleTurns } from '@svc/kernel';
import { rowsIn } from '../delivery/testing/rows.ts';
import type { Events } from './event.ts';
import { eventOf, logSystem } from './testing/log-system.ts';

/** Whole numbers below `most`, the same for the same seed. */
function chance(seed: number): (most: number) => number {
  let state = seed;
  return (most) => ((state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0) >>> 8) % most;
}

/**
 * The collection as a process sees it that shares it with others, on a server without transactions: each operation takes its time, some writes are done row by row,
 * and the process may be killed in any of them.
 */
function shared(events: Events, next: (most: number) => number, deadly: boolean): Events {
  let isDead = false;
  const step = async (): Promise<void> => {
    await settleTurns(next(4));
    isDead ||= deadly && next(40) === 0;
    if (isDead) throw new Error('killed');
  };
  const slow =
    <A extends unknown[], T>(work: (...args: A) => Promise<T>) =>
    async (...args: A): Promise<T> => {
      await step();
      const done = await work(...args);
      await step();
      return done;
    };
  return {
    ...events,
    get: slow(events.get),
    count: slow(events.count),
    highest: slow(events.highest),
    page: slow(events.page),
    claim: slow(events.claim),
    async write(ops) {
      const parts = next(2) === 0 ? [ops] : ops.map((op) => [op]);
      const stored = new Set<string>();
      for (const part of parts) for (const id of await slow(events.write)(part)) stored.add(id);
      return stored;
    },
  };
}

/** On every document store: processes that share it store events and are killed, and who follows sees each event once. `open`: an empty database. */
export function eventLogSuite(name: string, open: () => Promise<{ documents: DocumentStore; close(): Promise<void> }>): void {
  test.each(Array.from({ length: 8 }, (_, seed) => seed + 1))(
    `who follows misses nothing while dispatchers store and are killed, one of 0.1.0 among them (seed %d), ${name}`,
    async (seed) => {
      const next = chance(seed);
      const { documents, close } = await open();
      const { rows, dispatcher, storeAsBefore, idsAfter, idsListed } = logSystem(rowsIn(documents));
      await dispatcher()(eventOf(0));
      const numbers = Array.from({ length: 120 }, (_, n) => n + 1).sort(() => next(3) - 1);
      const process = (deadly = true) => dispatcher({ events: shared(rows.events, next, deadly) });
      /** The bus hands a batch to a process until one has handled it; after a rebalance two processes have the same batch in hand. */
      const handled = async (batch: PublicEvent[]): Promise<void> => {
        for (let tries = 0; ; tries += 1) {
          const before = next(6) === 0 ? [storeAsBefore(...batch.filter(() => next(2) === 0))] : [];
          const at = Array.from({ length: 1 + next(2) }, () => process(tries < 20)(...batch));
          const ends = await Promise.allSettled([...at, ...before]);
          if (ends.slice(0, at.length).some(({ status }) => status === 'fulfilled')) return;
        }
      };
      let isOver = false;
      const worker = async (of: number): Promise<void> => {
        const own = numbers.filter((n) => n % 3 === of);
        while (own.length > 0) await handled(own.splice(0, 1 + next(5)).map(eventOf));
      };
      const seen: string[] = [];
      const following = (async () => {
        for (let found: string[] = []; !isOver || found.length > 0;) {
          found = await idsAfter(seen.at(-1) ?? eventOf(0).id, { per_page: 1 + next(5) });
          seen.push(...found);
          await settleTurns(1 + next(3));
        }
      })();
      await Promise.all([worker(0), worker(1), worker(2)]);
      isOver = true;
      await following;
      seen.push(...(await idsAfter(seen.at(-1) ?? eventOf(0).id, { per_page: 100 })));
      expect(seen.toSorted()).toEqual(numbers.map((n) => eventOf(n).id).toSorted());
      expect(await idsListed({ per_page: 1 + next(50) })).toEqual([eventOf(0).id, ...seen].toReversed());
      await close();
    },
    60_000,
  );
}
