import { setImmediate } from 'node:timers/promises';
import type { WebhooksContext } from '../context.ts';
import type { Cancelling } from './cancel.ts';
import type { Delivery } from './delivery.ts';
import type { Queues } from './queues.ts';

export type SweepContext = Pick<WebhooksContext, 'deliveries' | 'endpoints' | 'clock'>;

export interface SweepWork {
  /** Claims those whose endpoints have room. */
  take(due: Delivery[]): Promise<unknown>;
  queues: Pick<Queues<Delivery>, 'behind' | 'isFailing'>;
  cancelling: Pick<Cancelling, 'start'>;
}

/** Rows of one read: of many endpoints, or the oldest of one that has a backlog. */
const ROWS = 50;
/** Reads of one sweep; each is followed by one read of endpoints and one claim at most. */
const READS = 500;

/**
 * Goes through the pending rows from endpoint to endpoint, the first `ROWS` of each at most, and takes what looks missed. However many
 * endpoints are pending, a sweep makes at most `READS` reads and the next one goes on where it ended. Deliveries to deleted endpoints are
 * cancelled: a process may have ended before it had cancelled all.
 */
export function createSweep({ deliveries, endpoints, clock }: SweepContext, { take, queues, cancelling }: SweepWork) {
  let after = '';
  let first = Infinity;
  let oldest: number | undefined;

  const deletedOf = async (rows: Delivery[]): Promise<Set<string>> => {
    const ids = [...new Set(rows.map(({ endpoint_id }) => endpoint_id))];
    const deleted = await Array.fromAsync(endpoints.find({ _id: { $in: ids }, deleted: true }, { limit: ROWS }));
    return new Set(deleted.map(({ _id }) => _id));
  };

  /** Answers false behind the last endpoint. */
  const step = async (now: number): Promise<boolean> => {
    const filter = { status: 'pending', endpoint_id: { $gt: after } };
    const rows = await Array.fromAsync(deliveries.find(filter, { sort: { endpoint_id: 1, due_at: 1 }, limit: ROWS }));
    const last = rows.at(-1);
    if (!last) return false;
    const deleted = await deletedOf(rows);
    deleted.forEach((endpoint) => cancelling.start(endpoint));
    const due = rows.filter(({ due_at, endpoint_id }) => due_at !== null && due_at <= now && !deleted.has(endpoint_id));
    if (due.length > 0) await take(due);
    if (due.at(-1) === last && rows.length === ROWS) queues.behind(last.account, last.endpoint_id, true);
    for (const { due_at, endpoint_id } of due) if (!queues.isFailing(endpoint_id)) first = Math.min(first, due_at ?? Infinity);
    after = last.endpoint_id;
    return rows.length === ROWS;
  };

  return {
    /** `stopped`: ends it early. */
    async sweep(stopped: AbortSignal): Promise<void> {
      const now = clock.now();
      for (let reads = 1; reads <= READS && !stopped.aborted; reads += 1) {
        if (!(await step(now))) {
          oldest = first === Infinity ? undefined : first;
          [after, first] = ['', Infinity];
          return;
        }
        await setImmediate();
      }
    },
    /** When the oldest row that was due fell due, of endpoints that do not fail: as of the last time that all were looked at. */
    oldest: (): number | undefined => oldest,
  };
}
