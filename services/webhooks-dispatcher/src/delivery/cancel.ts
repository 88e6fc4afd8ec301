import { setImmediate } from 'node:timers/promises';
import { iso } from '@svc/kernel';
import { mayReceive } from '../endpoint/domain/endpoint.ts';
import { unseen } from '../endpoint/endpoint.ts';
import type { WebhooksContext } from './context.ts';
import { type Delivery, isClaimed, pending } from './delivery.ts';

/**
 * Limits of one write. On the embedded store a write takes one turn of the event loop. A row has 1 KiB, and some 40 KiB after failed
 * attempts.
 */
const ROWS = 100;
const BYTES = 256 * 1024;
/** Endpoints of each kind that one `resume` reads. */
const FOUND = 100;

export interface Cancelling {
  /** Cancels the pending deliveries of a deleted or disabled endpoint, in the background. */
  start(endpoint: string): void;
  /** Starts the cancellation of deleted and disabled endpoints that have no `cleared_at`, whichever process or release wrote them. */
  resume(): Promise<void>;
  /** Whether this process is cancelling deliveries of the endpoint. */
  has(endpoint: string): boolean;
  /** Resolves when the current write has ended. The next process continues with the rest. */
  stop(): Promise<void>;
}

/**
 * Cancels deliveries to deleted and disabled endpoints, one batch of each endpoint in turn. An endpoint without `cleared_at` may have pending deliveries
 * left: when a process ends or a write fails, the sweep of any process finds the endpoint and starts again. A delivery that a concurrent
 * fan-out writes later is cancelled by its attempt, which finds that the endpoint does not receive; so is one that a process has claimed, unless its attempt
 * is under way: that one ends, and is recorded. An endpoint that is enabled meanwhile keeps what is not cancelled yet.
 */
export function createCancelling({
  deliveries,
  endpoints,
  clock,
  logger,
}: Pick<WebhooksContext, 'deliveries' | 'endpoints' | 'clock' | 'logger'>): Cancelling {
  const ending = new Set<string>();
  let inHand: string | undefined;
  const after = { deleted: '', disabled: '' };
  let stopped = false;
  let work: Promise<void> | undefined;

  /** The oldest pending deliveries, as many as fit into one write; at least one when any is left. */
  const someOf = async (endpoint: string): Promise<Delivery[]> => {
    const { docs, left } = await deliveries.page({ ...pending, endpoint_id: endpoint }, { sort: { due_at: 1 }, limit: ROWS }, BYTES);
    return docs.length > 0 || left.length === 0 ? docs : Array.fromAsync(deliveries.find({ _id: { $in: left.slice(0, 1) } }, { limit: 1 }));
  };

  /** Returns false when there was nothing to cancel, or the endpoint receives again. */
  const cancelSome = async (id: string): Promise<boolean> => {
    const rows = await someOf(id);
    const endpoint = await endpoints.get(id); // After the rows: what is made once it is enabled is not among them.
    if (!endpoint || mayReceive(endpoint)) return false;
    if (rows.length === 0) {
      await endpoints.claim({ _id: id, version: endpoint.version }, { set: unseen(endpoint, { cleared_at: iso(clock.now()) }) });
      return false;
    }
    const ids = rows.filter((row) => !isClaimed(row, clock.now())).map(({ _id }) => _id);
    if (ids.length > 0) await deliveries.claim({ _id: { $in: ids }, status: 'pending' }, { set: { status: 'cancelled', due_at: null } });
    return ids.length > 0;
  };

  const cancelAll = async (): Promise<void> => {
    for (let [next] = ending; next !== undefined && !stopped; [next] = ending) {
      const endpoint = next;
      ending.delete(endpoint);
      inHand = endpoint;
      const isMoreLeft = await cancelSome(endpoint).catch((error: unknown) => {
        logger.error(
          { err: error, endpoint },
          'deliveries to an endpoint that does not receive any more could not be cancelled; the next sweep goes on',
        );
        return false;
      });
      inHand = undefined;
      if (isMoreLeft) ending.add(endpoint);
      await setImmediate();
    }
    work = undefined;
  };

  const start = (endpoint: string): void => {
    if (stopped) return;
    ending.add(endpoint);
    work ??= cancelAll();
  };

  return {
    start,
    async resume() {
      const kinds = { deleted: { deleted: true }, disabled: { status: 'disabled' } } as const;
      for (const kind of ['deleted', 'disabled'] as const) {
        const filter = { ...kinds[kind], cleared_at: null, _id: { $gt: after[kind] } };
        const { docs, left } = await endpoints.page(filter, { sort: { _id: 1 }, limit: FOUND }, 0);
        const found = [...docs.map(({ _id }) => _id), ...left];
        found.forEach(start);
        after[kind] = found.length === FOUND ? (found.at(-1) as string) : '';
      }
    },
    has: (endpoint) => endpoint === inHand || ending.has(endpoint),
    async stop() {
      stopped = true;
      await work;
    },
  };
}
