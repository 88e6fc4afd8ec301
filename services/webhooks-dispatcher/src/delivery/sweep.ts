import { setImmediate } from 'node:timers/promises';
import type { WebhooksContext } from './context.ts';
import { isFailing } from '../endpoint/domain/endpoint.ts';
import type { Cancelling } from './cancel.ts';
import { pending, type Delivery } from './delivery.ts';
import type { Queues } from './queues.ts';

export type SweepContext = Pick<WebhooksContext, 'deliveries' | 'endpoints' | 'clock'>;

export interface SweepWork {
  /** Claims the rows whose endpoints have capacity. */
  take(due: Delivery[]): Promise<unknown>;
  /** Claims the oldest rows of one endpoint, as many as it has capacity for. */
  refill(account: string, endpoint: string): Promise<void>;
  queues: Pick<Queues<Delivery>, 'note'>;
  cancelling: Pick<Cancelling, 'resume' | 'has'>;
}

/** Limits of the one read of due rows. */
const ROWS = 50;
const BYTES = 256 * 1024;
/** Endpoints after which a walk checks again whether the due rows fit into one read. */
const ENDPOINTS = 500;
/** After a walk the sweep waits this many times the walk's duration before the next walk. */
const PAUSE = 9;

/**
 * Claims due rows that looks missed, and resumes cancellations that stopped processes left. When nothing is due and no cancellation is
 * left, a sweep costs two reads that find nothing, however many deliveries wait for their next attempt.
 *
 * When more is due than one read holds, one endpoint may have a long backlog. Then the sweep walks over all endpoints in the index, reading
 * one row of each, with a turn of the event loop in between. Walks take at most a tenth of the time, since a backlog may last for days.
 */
export function createSweep({ deliveries, endpoints, clock }: SweepContext, { take, refill, queues, cancelling }: SweepWork) {
  let first = Infinity;
  let oldest: number | undefined;
  let walkAt = -Infinity;

  /** Of the oldest due row of an endpoint: whether it fails is read, since the attempts may be those of another process. */
  const note = async ({ account, endpoint_id, due_at }: Delivery): Promise<void> => {
    const endpoint = await endpoints.get(endpoint_id);
    const fails = endpoint !== undefined && isFailing(endpoint);
    queues.note(account, endpoint_id, fails);
    if (!fails) first = Math.min(first, due_at ?? Infinity);
  };

  /** Returns false when more is due than one read holds. */
  const takeAll = async (): Promise<boolean> => {
    const filter = { due_at: { $gte: 0, $lte: clock.now() } };
    const { docs, left } = await deliveries.page(filter, { sort: { due_at: 1 }, limit: ROWS }, BYTES);
    if (docs.length === ROWS || left.length > 0) return false;
    const due = docs.filter(({ endpoint_id }) => !cancelling.has(endpoint_id));
    const oldestOfEach = new Map(due.toReversed().map((row) => [row.endpoint_id, row]));
    for (const row of oldestOfEach.values()) await note(row);
    if (due.length > 0) await take(due);
    return true;
  };

  /** Returns the next endpoint after `after` in the index, and refills it when a row of it is due; undefined after the last one. */
  const step = async (after: string): Promise<string | undefined> => {
    const next = deliveries.find({ ...pending, endpoint_id: { $gt: after } }, { sort: { endpoint_id: 1, due_at: 1 }, limit: 1 });
    const [row] = await Array.fromAsync(next);
    if (row && row.due_at !== null && row.due_at <= clock.now() && !cancelling.has(row.endpoint_id)) {
      await note(row);
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
    /** Ends early when `stopped` aborts. */
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
    /** When the oldest due row of a non-failing endpoint fell due, as of the last complete sweep. */
    oldest: (): number | undefined => oldest,
  };
}
