import { setImmediate } from 'node:timers/promises';
import { iso } from '@svc/kernel';
import type { WebhooksContext } from '../context.ts';

/** Of one write, which on the embedded store is one turn of the event loop: a row has 1 KiB, and some 40 after failed attempts. */
const ROWS = 100;
const BYTES = 256 * 1024;
/** Deletions that are found at once. */
const FOUND = 100;

export interface Cancelling {
  /** Cancels what is pending for a deleted endpoint, in the background. */
  start(endpoint: string): void;
  /** Starts it for deletions that nobody has brought to their end: this release's or an earlier one's, in any process. */
  resume(): Promise<void>;
  /** Whether it is under way in this process. */
  has(endpoint: string): boolean;
  /** Resolves when the write in hand is done; the rest is left to the next process. */
  stop(): Promise<void>;
}

/**
 * Cancels deliveries to deleted endpoints, one batch of each endpoint in turn. An endpoint without `cleared_at` may have some left: where a
 * process ends or a write fails, the sweep of any process finds it and starts again. One that is written later, by a fan-out under way, is
 * due at once, and cancelled when it would be sent.
 */
export function createCancelling({
  deliveries,
  endpoints,
  clock,
  logger,
}: Pick<WebhooksContext, 'deliveries' | 'endpoints' | 'clock' | 'logger'>): Cancelling {
  const deleted = new Set<string>();
  let inHand: string | undefined;
  let after = '';
  let stopped = false;
  let work: Promise<void> | undefined;

  /** The oldest, as many as fit; one in any case. */
  const someOf = async (endpoint: string): Promise<string[]> => {
    const filter = { status: 'pending', endpoint_id: endpoint };
    const { docs, left } = await deliveries.page(filter, { sort: { due_at: 1 }, limit: ROWS }, BYTES);
    return docs.length > 0 ? docs.map(({ _id }) => _id) : left.slice(0, 1);
  };

  /** Answers false when nothing was left. */
  const cancelSome = async (endpoint: string): Promise<boolean> => {
    const ids = await someOf(endpoint);
    if (ids.length > 0) await deliveries.claim({ _id: { $in: ids }, status: 'pending' }, { set: { status: 'cancelled', due_at: null } });
    else await endpoints.claim({ _id: endpoint, deleted: true, cleared_at: null }, { set: { cleared_at: iso(clock.now()) } });
    return ids.length > 0;
  };

  const cancelAll = async (): Promise<void> => {
    for (let [next] = deleted; next !== undefined && !stopped; [next] = deleted) {
      const endpoint = next;
      deleted.delete(endpoint);
      inHand = endpoint;
      const isMoreLeft = await cancelSome(endpoint).catch((error: unknown) => {
        logger.error({ err: error, endpoint }, 'deliveries to a deleted endpoint could not be cancelled; the next sweep goes on');
        return false;
      });
      inHand = undefined;
      if (isMoreLeft) deleted.add(endpoint);
      await setImmediate();
    }
    work = undefined;
  };

  const start = (endpoint: string): void => {
    if (stopped) return;
    deleted.add(endpoint);
    work ??= cancelAll();
  };

  return {
    start,
    async resume() {
      const filter = { deleted: true, cleared_at: null, _id: { $gt: after } };
      const { docs, left } = await endpoints.page(filter, { sort: { _id: 1 }, limit: FOUND }, 0);
      const found = [...docs.map(({ _id }) => _id), ...left];
      found.forEach(start);
      after = found.length === FOUND ? (found.at(-1) as string) : '';
    },
    has: (endpoint) => endpoint === inHand || deleted.has(endpoint),
    async stop() {
      stopped = true;
      await work;
    },
  };
}
