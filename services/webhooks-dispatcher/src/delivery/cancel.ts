import { setImmediate } from 'node:timers/promises';
import type { WebhooksContext } from '../context.ts';

/** Rows of one write: on the embedded store a write is one turn of the event loop. A row has some 10 KiB at most. */
const BATCH = 100;

export interface Cancelling {
  /** Cancels what is pending for a deleted endpoint, in the background. */
  start(endpoint: string): void;
  /** Resolves when the write in hand is done; the rest is left to the next process. */
  stop(): Promise<void>;
}

/**
 * Cancels deliveries to deleted endpoints, one batch of each endpoint in turn. Nothing remembers what is left: where a process ends or a
 * write fails, the sweep of any process finds the rows and starts it again.
 */
export function createCancelling({ deliveries, logger }: Pick<WebhooksContext, 'deliveries' | 'logger'>): Cancelling {
  const deleted = new Set<string>();
  let stopped = false;
  let work: Promise<void> | undefined;

  const cancelSome = async (endpoint: string): Promise<boolean> => {
    const filter = { endpoint_id: endpoint, status: 'pending' };
    const cancelled = await deliveries.claim(filter, { set: { status: 'cancelled', due_at: null } }, { limit: BATCH });
    return cancelled.length > 0;
  };

  const cancelAll = async (): Promise<void> => {
    for (let [next] = deleted; next !== undefined && !stopped; [next] = deleted) {
      const endpoint = next;
      deleted.delete(endpoint);
      const isMoreLeft = await cancelSome(endpoint).catch((error: unknown) => {
        logger.error({ err: error, endpoint }, 'deliveries to a deleted endpoint could not be cancelled; the next sweep goes on');
        return false;
      });
      if (isMoreLeft) deleted.add(endpoint);
      await setImmediate();
    }
    work = undefined;
  };

  return {
    start(endpoint) {
      if (stopped) return;
      deleted.add(endpoint);
      work ??= cancelAll();
    },
    async stop() {
      stopped = true;
      await work;
    },
  };
}
