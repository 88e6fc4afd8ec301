import { heldBy, releaseHeld } from '@svc/document-store';
import type { WebhooksContext } from './context.ts';
import type { Cancelling } from './cancel.ts';
import { CLAIM_MS, type Delivery } from './delivery.ts';
import type { Queues } from './queues.ts';
import { countMade } from './stored-bytes.ts';
import { createSweep } from './sweep.ts';

export type DueContext = Pick<
  WebhooksContext,
  'deliveries' | 'endpoints' | 'stored' | 'clock' | 'logger' | 'lookEvery' | 'holder' | 'unitOfWork'
>;

const BATCH = 200;
const AFTER_ERROR_MS = 1_000;
/** A row may become visible this much later than it fell due: its write took time, or another replica's clock is behind. */
const SEEN_WITHIN_MS = 10_000;
const SWEEP_EVERY_MS = 5_000;

/**
 * Claims due deliveries for the queues that have capacity. Rows without capacity stay unclaimed and are not written. New ones are claimed as they are stored
 * (`add`). Others are found in three ways, and none of them reads the backlog of an endpoint without capacity:
 * - a look at the rows that fell due since the last look: when the next row falls due, when woken, and every `lookEvery`;
 * - `refill`: the oldest rows of one endpoint, when its queue is half empty;
 * - a sweep every 5 s for rows that looks missed or that stopped processes left.
 */
export function createDue(
  { deliveries, endpoints, stored, clock, logger, lookEvery, holder, unitOfWork }: DueContext,
  queues: Pick<Queues<Delivery>, 'capacity' | 'capacityForNew' | 'add' | 'behind' | 'note' | 'waitingSince'>,
  cancelling: Pick<Cancelling, 'resume' | 'has'>,
) {
  const stopped = new AbortController();
  const refilling = new Map<string, Promise<void>>();
  const storing = new Set<Promise<void>>();
  let waiting = new AbortController();
  /** When the next look is, if nothing wakes it; infinite during a look. */
  let nextLook = Infinity;
  let from = clock.now() - SEEN_WITHIN_MS;
  let isRunning = false;
  let looks = 0;
  let swept = -Infinity;
  let sweeping: Promise<void> | undefined;
  let over: Promise<void> = Promise.resolve();

  const logFailure = (work: string) => (error: unknown) =>
    logger.error({ work, err: error }, 'due deliveries could not be claimed; it is tried again');
  const claimed = () => ({ set: heldBy(holder, clock.now() + CLAIM_MS) });

  /** The rows whose endpoints have capacity, and the others. */
  const byCapacity = (rows: readonly Delivery[], capacityOf: typeof queues.capacity): { wanted: Delivery[]; others: Delivery[] } => {
    const capacities = new Map<string, number>();
    const [wanted, others]: [Delivery[], Delivery[]] = [[], []];
    for (const row of rows) {
      const { account, endpoint_id } = row;
      const capacity = capacities.get(endpoint_id) ?? capacityOf(account, endpoint_id);
      capacities.set(endpoint_id, capacity - 1);
      if (capacity <= 0) queues.behind(account, endpoint_id, true);
      (capacity > 0 ? wanted : others).push(row);
    }
    return { wanted, others };
  };

  /** Claims the rows whose endpoints have capacity. Returns how many were left. */
  const take = async (due: Delivery[]): Promise<number> => {
    const { wanted, others } = byCapacity(due, queues.capacity);
    if (wanted.length > 0) {
      const filter = { _id: { $in: wanted.map(({ _id }) => _id) }, due_at: { $lte: clock.now() } };
      queues.add(await deliveries.claim(filter, claimed()));
    }
    return others.length;
  };

  /** The rows that are stored as this process wrote them: another one, too, may have handled the events as new. */
  const earlier = async (rows: Delivery[]): Promise<Delivery[]> => {
    if (rows.length === 0) return [];
    const ids = rows.map(({ _id }) => _id);
    const known = await deliveries.indexed(ids, ['due_at']);
    const dueAt = new Map(known.filter(({ version }) => version === 1).map(({ _id, due_at }) => [_id, due_at]));
    return rows.filter(({ _id, due_at }) => dueAt.get(_id) === due_at);
  };

  const storeNew = async (made: readonly Delivery[], events: () => Promise<void>): Promise<void> => {
    const { wanted, others } =
      isRunning && !stopped.signal.aborted ? byCapacity(made, queues.capacityForNew) : { wanted: [], others: made };
    const claim = claimed().set;
    const rows = wanted.map((row): Delivery => ({ ...row, ...claim }));
    const insert = (all: readonly Delivery[]): Promise<Set<string>> => deliveries.write(all.map((row) => ({ insert: row })));
    let done = new Set<string>();
    await unitOfWork([events, async () => (done = await insert(rows))]);
    const own = rows.filter(({ _id }) => done.has(_id));
    countMade(stored, own);
    queues.add(own);
    queues.add(await earlier(rows.filter(({ _id }) => !done.has(_id))));
    if (others.length === 0) return;
    done = await insert(others);
    countMade(
      stored,
      others.filter(({ _id }) => done.has(_id)),
    );
    // A look would read them in vain while there is no capacity: `refill` does when there is.
    for (const { account, endpoint_id } of others) {
      if (queues.capacity(account, endpoint_id) > 0) return waiting.abort();
      queues.behind(account, endpoint_id, true);
    }
  };

  /** Claims the rows that fell due since the last look. Returns the time up to which it looked. */
  const look = async (): Promise<number> => {
    const now = clock.now();
    let left = 0;
    let batch: Delivery[] = [];
    for await (const row of deliveries.find({ due_at: { $gte: from, $lte: now } }, { sort: { due_at: 1 } })) {
      if (batch.push(row) < BATCH) continue;
      left += await take(batch);
      batch = [];
    }
    left += await take(batch);
    from = left > 0 ? now : now - SEEN_WITHIN_MS; // Rows without capacity are not read again at every look.
    looks += 1;
    return now;
  };

  /** Milliseconds until the first row after `time` falls due. */
  const idleAfter = async (time: number): Promise<number> => {
    const later = deliveries.find({ due_at: { $gt: time } }, { sort: { due_at: 1 }, limit: 1 });
    for await (const { due_at } of later) return (due_at as number) - clock.now();
    return Infinity;
  };

  const claimOldest = async (account: string, endpoint: string): Promise<void> => {
    const capacity = queues.capacity(account, endpoint);
    if (capacity === 0) return queues.behind(account, endpoint, true);
    const filter = { status: 'pending', endpoint_id: endpoint, due_at: { $lte: clock.now() } };
    const due = await deliveries.claim(filter, claimed(), { sort: { due_at: 1 }, limit: capacity });
    queues.add(due);
    queues.behind(account, endpoint, due.length > 0);
  };

  const refill = (account: string, endpoint: string): Promise<void> => {
    const under = refilling.get(endpoint);
    if (under || stopped.signal.aborted) return under ?? Promise.resolve();
    const work = claimOldest(account, endpoint)
      .catch(logFailure('refill'))
      .finally(() => refilling.delete(endpoint));
    refilling.set(endpoint, work);
    return work;
  };

  const { sweep, oldest } = createSweep({ deliveries, endpoints, clock }, { take, refill, queues, cancelling });

  const work = async (): Promise<void> => {
    await releaseHeld(deliveries, { holder, clock, claimMs: CLAIM_MS }).catch(logFailure('release'));
    while (!stopped.signal.aborted) {
      waiting = new AbortController();
      nextLook = Infinity;
      const sinceSweep = clock.now() - swept;
      // Below 0 the clock was set back.
      if (!sweeping && (sinceSweep >= SWEEP_EVERY_MS || sinceSweep < 0)) {
        swept = clock.now();
        sweeping = sweep(stopped.signal)
          .catch(logFailure('sweep'))
          .finally(() => (sweeping = undefined));
      }
      const rest = await look()
        .then(idleAfter)
        .catch((error: unknown) => (logFailure('look')(error), AFTER_ERROR_MS));
      const pause = Math.min(rest, lookEvery);
      nextLook = clock.now() + pause;
      if (!stopped.signal.aborted) await clock.sleep(pause, waiting.signal);
    }
  };

  return {
    start(): void {
      isRunning = true;
      over = work();
    },
    /** Looks for due rows now. */
    wake: (): void => waiting.abort(),
    /** A row was stored that falls due at this time (milliseconds since 1970): it does not wait for a later look. */
    fallsDue(at: number): void {
      if (at < nextLook) waiting.abort();
    },
    refill,
    /**
     * Stores the deliveries of events that were never handled before, after the events, which `events` stores. Those that have capacity
     * are stored as claimed by this process and handed to the queues: no look has to find and claim them. When the process dies, they are due at the end
     * of the claim, and the events are handled again.
     */
    async add(made: readonly Delivery[], events: () => Promise<void>): Promise<void> {
      const work = storeNew(made, events);
      storing.add(work);
      await work.finally(() => storing.delete(work));
    },
    /** Claims no more rows. Resolves when rows that are being claimed are in the queues. */
    async stop(): Promise<void> {
      stopped.abort();
      waiting.abort();
      await Promise.all([over, sweeping, ...refilling.values(), Promise.allSettled(storing)]);
    },
    /** Seconds that the oldest due row of a non-failing endpoint has waited: of this process's claims, and of the others as of the last sweep; 0 when none is due. */
    lag: (): number => Math.max(0, clock.now() - Math.min(oldest() ?? Infinity, queues.waitingSince() ?? Infinity)) / 1000,
    /** For liveness: the number of looks must grow while rows are due. The backlog of failing endpoints does not count as a standstill. */
    progress: {
      async waiting(): Promise<boolean> {
        for await (const _ of deliveries.find({ due_at: { $gte: 0, $lte: clock.now() } }, { limit: 1 })) return true;
        return false;
      },
      reached: (): number => looks,
    },
  };
}

export type DueDeliveries = ReturnType<typeof createDue>;
