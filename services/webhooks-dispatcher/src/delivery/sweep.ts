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
/** Endpoints of one sweep where more is due, each looked at by its oldest row. */
const ENDPOINTS = 500;

/**
 * Takes what is due and looks missed, and goes on with deletions that processes left which ended before they had cancelled all. Where
 * nothing is due and no deletion is under way, a sweep is two reads that find nothing, however many deliveries wait for their next attempt.
 *
 * Where more is due than one read holds, one endpoint may have a long backlog: it goes from endpoint to endpoint in the index, by one row of
 * each, `ENDPOINTS` at most, and the next sweep goes on where it ended.
 */
export function createSweep({ deliveries, clock }: SweepContext, { take, refill, queues, cancelling }: SweepWork) {
  let after = '';
  let first = Infinity;
  let oldest: number | undefined;

  const note = ({ endpoint_id, due_at }: Delivery): void => {
    if (!queues.isFailing(endpoint_id)) first = Math.min(first, due_at ?? Infinity);
  };

  /** False where more is due than that. */
  const takeAll = async (now: number): Promise<boolean> => {
    const { docs, left } = await deliveries.page({ due_at: { $gte: 0, $lte: now } }, { sort: { due_at: 1 }, limit: ROWS }, BYTES);
    if (docs.length === ROWS || left.length > 0) return false;
    const due = docs.filter(({ endpoint_id }) => !cancelling.has(endpoint_id));
    due.forEach(note);
    if (due.length > 0) await take(due);
    return true;
  };

  /** Answers false behind the last endpoint. */
  const step = async (now: number): Promise<boolean> => {
    const next = deliveries.find({ status: 'pending', endpoint_id: { $gt: after } }, { sort: { endpoint_id: 1, due_at: 1 }, limit: 1 });
    const [row] = await Array.fromAsync(next);
    if (!row) return false;
    after = row.endpoint_id;
    if (row.due_at === null || row.due_at > now || cancelling.has(after)) return true;
    note(row);
    await refill(row.account, after);
    return true;
  };

  const isThrough = async (stopped: AbortSignal): Promise<boolean> => {
    const now = clock.now();
    if (after === '' && (await takeAll(now))) return true;
    for (let endpoints = 0; endpoints < ENDPOINTS && !stopped.aborted; endpoints += 1) {
      if (!(await step(now))) return true;
      await setImmediate();
    }
    return false;
  };

  return {
    /** `stopped`: ends it early. */
    async sweep(stopped: AbortSignal): Promise<void> {
      await cancelling.resume();
      if (!(await isThrough(stopped))) return;
      oldest = first === Infinity ? undefined : first;
      [after, first] = ['', Infinity];
    },
    /** When the oldest row that was due fell due, of endpoints that do not fail: as of the last time that all were looked at. */
    oldest: (): number | undefined => oldest,
  };
}
