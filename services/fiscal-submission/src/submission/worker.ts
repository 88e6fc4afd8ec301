import { startDueWork, type DueWork } from '@svc/document-store';
import type { Context } from './context.ts';
import { drive } from './drive.ts';
import { Lanes } from './lanes.ts';
import { Outage } from './outage.ts';
import { change, type Row } from './row.ts';

/** Nest's injection token of the `Worker`. */
export const WORKER = Symbol('submission worker');

export interface Worker {
  /** Begins to look for what is due. */
  start(): void;
  /** Works on these now; they are in the caller's hands. */
  take(rows: readonly Row[]): void;
  /** Starts nothing more and waits for the calls under way (each at most 10 s). */
  stop(): Promise<void>;
}

/**
 * Works on submissions that are due: those handed over by this process at once, those of the collection when their time comes. What is
 * not handed over, or was in the hands of a process that died, the collection brings.
 */
export function createWorker(context: Context): Worker {
  const { rows, clock, logger, haste, authorities } = context;
  const stopping = new AbortController();
  const outages = new Map(Array.from(authorities.keys(), (id) => [id, new Outage(haste)]));
  let due: DueWork | undefined;

  const lanes = new Lanes({
    async work(row, place) {
      try {
        const dueAt = await drive(context, outages.get(row.authority) ?? new Outage(haste), row, place, stopping.signal);
        if (dueAt !== null) due?.poke();
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
    start() {
      due ??= startDueWork({ name: 'submissions', collection: rows, clock, logger, handle: async (claimed) => lanes.take(claimed) });
    },
    take: (taken) => lanes.take(taken),
    async stop() {
      stopping.abort();
      await due?.stop();
      await lanes.drain();
    },
  };
}
