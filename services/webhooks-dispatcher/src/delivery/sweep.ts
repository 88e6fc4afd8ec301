import { setImmediate } from 'node:timers/promises';
import type { WebhooksContext } from '../context.ts';
import type { Cancelling } from './cancel.ts';
import type { Delivery } from './delivery.ts';
import type { Queues } from './queues.ts';

export type SweepContext = Pick<WebhooksContext, 'deliveries' | 'clock'>;

export interface SweepWork {
  /** Claims those whose endpoints have room. */
  take(due: Delivery[]): Promise<unknown>;
  /** Claims the oldest of one endpoint, as far as it has room. */
  refill(account: string, endpoint: string): Promise<void>;
  queues: Pick<Queues<Delivery>, 'isFailing'>;
  cancelling: Pick<Cancelling, 'resume' | 'has'>;
}

/** What is due is looked at in one read, where it is no more than this. */
const ROWS = 50;
const BYTES = 256 * 1024;
/** While it goes from endpoint to endpoint, it asks so often whether what is due fits into one read again. */
const ENDPOINTS = 500;
/** For every millisecond that it went from endpoint to endpoint it does not do so again for that many. */
const PAUSE = 9;

/**
 * Takes what is due and looks missed, and goes on with deletions that processes left which ended before they had cancelled all. Where
 * nothing is due and no deletion is under way, a sweep is two reads that find nothing, however many deliveries wait for their next attempt.
 *
 * Where more is due than one read holds, one endpoint may have a long backlog: it goes through all endpoints in the index, by one row of
 * each, with a turn of the event loop in between. That takes a tenth of the time at most, since a backlog may last for days.
 */
export function createSweep({ deliveries, clock }: SweepContext, { take, refill, queues, cancelling }: SweepWork) {
  let first = Infinity;
  let oldest: number | undefined;
  let walkAt = -Infinity;

  const note = ({ endpoint_id, due_at }: Delivery): void => {
    if (!queues.isFailing(endpoint_id)) first = Math.min(first, due_at ?? Infinity);
  };

  /** False where more is due than that. */
  const takeAll = async (): Promise<boolean> => {
    const filter = { due_at: { $gte: 0, $lte: clock.now() } };
    const { docs, left } = await deliveries.page(filter, { sort: { due_at: 1 }, limit: ROWS }, BYTES);
    if (docs.length === ROWS || left.length > 0) return false;
    const due = docs.filter(({ endpoint_id }) => !cancelling.has(endpoint_id));
    due.forEach(note);
    if (due.length > 0) await take(due);
    return true;
  };

  /** Answers the next endpoint behind that one, refilled where it is due; undefined where there is none. */
  const step = async (after: string): Promise<string | undefined> => {
    const next = deliveries.find({ status: 'pending', endpoint_id: { $gt: after } }, { sort: { endpoint_id: 1, due_at: 1 }, limit: 1 });
    const [row] = await Array.fromAsync(next);
    if (row && row.due_at !== null && row.due_at <= clock.now() && !cancelling.has(row.endpoint_id)) {
      note(row);
      await refill(row.account, row.endpoint_id);
    }
    return row?.endpoint_id;
  };

  const walk = async (stopped: AbortSignal): Promise<void> => {
    let after = await step('');
    for (let endpoints = 1; after !== undefined && !stopped.aborted; endpoints += 1) {
      if (endpoints % ENDPOINTS === 0 && (await takeAll())) return;
      await setImmediate();
      after = await step(after);
    }
  };

  return {
    /** `stopped`: ends it early. */
    async sweep(stopped: AbortSignal): Promise<void> {
      await cancelling.resume();
      first = Infinity;
      if (!(await takeAll())) {
        const began = clock.now();
        if (began < walkAt) return;
        await walk(stopped);
        walkAt = clock.now() + PAUSE * (clock.now() - began);
      }
      oldest = first === Infinity ? undefined : first;
    },
    /** When the oldest row that was due fell due, of endpoints that do not fail: as of the last time that all were looked at. */
    oldest: (): number | undefined => oldest,
  };
}
