import type { WebhooksContext } from '../context.ts';
import type { Delivery } from './delivery.ts';

/** A commit costs as much as some ten rows of it. */
const GATHER_MS = 10;

interface Batch {
  rows: Delivery[];
  written: PromiseWithResolvers<void>;
}

/**
 * Writes the rows of deliveries that succeeded, in batches: the first after a pause at once, those of the next 10 ms together. A row is not written over
 * the same or a higher version: another process has claimed or cancelled the delivery meanwhile.
 */
export function createRecorder({ deliveries, clock }: Pick<WebhooksContext, 'deliveries' | 'clock'>) {
  let batch: Batch = { rows: [], written: Promise.withResolvers() };
  let cancel: (() => void) | undefined;
  let stopped = false;

  const flush = (): void => {
    const { rows, written } = batch;
    batch = { rows: [], written: Promise.withResolvers() };
    deliveries.write(rows.map((put) => ({ put }))).then(written.resolve, written.reject);
    cancel = stopped ? undefined : clock.after(GATHER_MS, rest);
  };
  const rest = (): void => {
    cancel = undefined;
    if (batch.rows.length > 0) flush();
  };

  return {
    /** Resolves when the row is stored or outdated. */
    record(row: Delivery): Promise<void> {
      const { rows, written } = batch;
      rows.push(row);
      if (!cancel) flush();
      return written.promise;
    },
    /** Writes what waits, and from then on each row at once. */
    stop(): void {
      stopped = true;
      cancel?.();
      rest();
    },
  };
}

export type Recorder = ReturnType<typeof createRecorder>;
