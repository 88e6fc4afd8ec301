import { Counter } from '@svc/service';
import type { WebhooksContext } from './context.ts';
import { rowBytes, type Delivery } from './delivery.ts';

/** A commit costs as much as some ten rows of it. */
const GATHER_MS = 20;
/** So much may be unwritten before attempts wait: a disk may take a second for a commit. */
const MOST_BYTES = 4 * 1024 * 1024;

export const deliveriesEnded = new Counter({
  name: 'svc_webhook_deliveries_total',
  help: 'Webhook deliveries that ended: succeeded, or failed after their last attempt',
  labelNames: ['outcome'],
});
for (const outcome of ['succeeded', 'failed']) deliveriesEnded.inc({ outcome }, 0);

/**
 * Writes the rows of deliveries that succeeded, in batches: the first after a pause at once, those of the next 20 ms together. A row is not written over
 * the same or a higher version: another process has claimed or cancelled the delivery meanwhile. One that is not written before the process dies is sent again
 * at the end of its claim.
 */
export function createRecorder({ deliveries, clock, logger }: Pick<WebhooksContext, 'deliveries' | 'clock' | 'logger'>) {
  const writing = new Set<Promise<void>>();
  let waiting: Delivery[] = [];
  /** Bytes. */
  let unwritten = 0;
  let cancel: (() => void) | undefined;
  let stopped = false;

  const write = async (rows: Delivery[]): Promise<void> => {
    try {
      await deliveries.write(rows.map((put) => ({ put })));
      deliveriesEnded.inc({ outcome: 'succeeded' }, rows.length);
    } catch (error) {
      logger.error({ err: error, deliveries: rows.length }, 'webhook attempts could not be recorded; they come again');
    }
    unwritten -= rows.reduce((sum, row) => sum + rowBytes(row), 0);
  };
  const flush = (): void => {
    cancel?.();
    const work = write(waiting);
    waiting = [];
    writing.add(work);
    void work.then(() => writing.delete(work));
    cancel = stopped ? undefined : clock.after(GATHER_MS, rest);
  };
  const capacity = async (): Promise<void> => {
    while (unwritten > MOST_BYTES && writing.size > 0) await Promise.race(writing);
  };
  const rest = (): void => {
    cancel = undefined;
    if (waiting.length > 0) flush();
  };

  return {
    /** The row is written later. What it returns resolves when there is capacity for more; undefined: there is. */
    record(row: Delivery): Promise<void> | undefined {
      waiting.push(row);
      unwritten += rowBytes(row);
      if (!cancel) flush();
      return unwritten > MOST_BYTES ? capacity() : undefined;
    },
    /** Writes what waits. Resolves when all is written. */
    async written(): Promise<void> {
      if (waiting.length > 0) flush();
      await Promise.all(writing);
    },
    /** Writes what waits, and from then on each row at once. Resolves when all is written. */
    async stop(): Promise<void> {
      stopped = true;
      cancel?.();
      rest();
      await Promise.all(writing);
    },
  };
}

export type Recorder = ReturnType<typeof createRecorder>;
