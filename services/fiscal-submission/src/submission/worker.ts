import { startJobs, type JobQueue } from '@svc/document-store';
import type { Context } from './context.ts';
import { drive } from './drive.ts';
import { KeyedQueues } from './keyed-queues.ts';
import { breakersOf, type Breakers, CircuitBreaker } from './circuit-breaker.ts';
import { change, type Row } from './row.ts';

export const WORKER = Symbol('submission worker');

/** Calls for one account; of a chain there is one. */
const AT_ONCE = 4;
/** How long a document goes before a backlog, in milliseconds: authorities take it for late after that. */
const FRESH_MS = 60_000;

export interface Worker {
  readonly breakers: Breakers;
  /** Starts polling for due rows. */
  start(): void;
  /** Works on rows that the caller has claimed. */
  take(rows: readonly Row[]): void;
  /** Starts no more calls and waits for those under way (each at most 10 s). */
  stop(): Promise<void>;
}

/**
 * Works on due submissions: rows handed over by this process at once, and due rows of the collection, which include those of processes that
 * died.
 */
export function createWorker(context: Context): Worker {
  const { rows, clock, logger, timeScale, authorities } = context;
  const stopping = new AbortController();
  const breakers = breakersOf(authorities, timeScale);
  let due: JobQueue | undefined;

  const queues = new KeyedQueues({
    atOnce: ({ authority, env }) => (authorities[env].get(authority)?.needs.chain ? 1 : AT_ONCE),
    // Records of a chain go in its order.
    isFresh: ({ authority, env, waits_since }) =>
      !authorities[env].get(authority)?.needs.chain && waits_since !== null && clock.now() - waits_since < FRESH_MS / timeScale,
    async work(row, permit) {
      try {
        const dueAt = await drive(
          context,
          breakers[row.env].get(row.authority) ?? new CircuitBreaker(timeScale),
          row,
          permit,
          stopping.signal,
        );
        if (dueAt !== null) due?.wake();
      } catch (error) {
        logger.error({ err: error, document: row._id, account: row.account }, 'a submission could not be worked on; it is tried again');
      }
    },
    putOff: (row, ms) => {
      change(rows, row, { due_at: clock.now() + ms }).catch((error: unknown) => {
        logger.warn({ err: error, document: row._id }, 'a submission could not be put off; it comes back by itself');
      });
    },
  });

  return {
    breakers,
    start() {
      due ??= startJobs({ name: 'submissions', collection: rows, clock, logger, handle: async (claimed) => queues.take(claimed) });
    },
    take: (taken) => queues.take(taken),
    async stop() {
      stopping.abort();
      await due?.stop();
      await queues.drain();
    },
  };
}
