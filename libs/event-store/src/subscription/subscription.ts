import type { Collection } from '@svc/document-store';
import { retry, type Clock, type Position, type Recorded } from '@svc/kernel';
import { inBatchSpan } from './batch-span.ts';
import { startCheckpoint, type Checkpoint, positionWaiters } from './checkpoint.ts';
import { BATCH, type Batch, type EventStore, type Stop } from '../port.ts';

export interface SubscriptionLog {
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

export interface SubscriptionOptions {
  /** Names the checkpoint: `relay`, `invoices_v3`. */
  name: string;
  /** The service, where spans distinguish services. */
  service?: string;
  store: EventStore;
  checkpoints: Collection<Checkpoint>;
  clock: Clock;
  /** In the order of the store; repeated after an error or a crash, perhaps with further events: repeats must be harmless. */
  handle: (events: Recorded[]) => Promise<void>;
  /** Whether `handle` gets an event: by default all. */
  concerns?: (recorded: Recorded) => boolean;
  /** Milliseconds that handled events may stay unsaved, to be repeated after a crash: 0 where other replicas wait for the position; by default 200. */
  saveWithin?: number;
  /** Milliseconds for which events are collected under load (40). */
  gatherMost?: number;
  logger: SubscriptionLog;
}

export interface Subscription {
  /** Everything up to here is handled. 0 until the checkpoint is read. */
  position(): Position;
  /** True as soon as everything up to `position` is handled, false when that takes longer than `withinMs`. Makes it handle and save at once. */
  waitFor(position: Position, withinMs: number): Promise<boolean>;
  /** Whether the store has events that this process has yet to handle; true where the store does not answer, which is logged. */
  isBehind(): Promise<boolean>;
  /**
   * Age in seconds of the oldest event that was handed over and is not handled; without any, the time since the store was seen to have more,
   * or not to answer; 0 when caught up.
   */
  lagSeconds(): Promise<number>;
  /** Resolves when the batch in hand is handled and the position is saved. */
  stop: Stop;
}

/** After a batch, events are collected for this long, unless a caller waits: longer under load, since each batch has a cost. */
const GATHER_MS = 10;
const GATHER_MORE_MS = 40;
const MUCH = 4;
const SAVE_WITHIN_MS = 200;
const LOG_AGAIN_MS = 60_000;

const attributesOf = (subscription: string) => ({
  'messaging.system': 'eventstoredb',
  'messaging.destination.name': '$all',
  'messaging.destination.subscription.name': subscription,
});

/**
 * Subscribes from the checkpoint: `handle` first, the position after it, so that a crash repeats and loses nothing. The first event after a
 * pause is handled at once, those of the next 10 ms together, or of `gatherMost` when they were four and more.
 */
export function startSubscription(options: SubscriptionOptions): Subscription {
  const {
    name,
    service = 'svc',
    store,
    checkpoints,
    clock,
    handle,
    concerns = () => true,
    saveWithin = SAVE_WITHIN_MS,
    gatherMost = GATHER_MORE_MS,
    logger,
  } = options;
  const stopping = new AbortController();
  const waiters = positionWaiters(clock);
  let oldest: number | undefined;
  /** Its position when the store was first seen to have more. */
  let stuck: { at: Position; since: number } | undefined;
  /** When the store stopped to answer, and when that was logged. */
  let unreadable: { since: number; loggedAt: number } | undefined;
  let started: { stop: Stop; checkpoint: ReturnType<typeof startCheckpoint> } | undefined;

  async function onBatch({ events, position, caughtUp }: Batch): Promise<void> {
    oldest ??= events[0]?.recordedAt;
    try {
      const own = events.filter(concerns);
      const traceparents = own.map(({ metadata }) => metadata.traceparent);
      if (own.length > 0) await inBatchSpan({ service, name, attributes: attributesOf(name) }, traceparents, () => handle(own));
    } catch (error) {
      failed('a batch failed and will be repeated')(error);
      throw error;
    }
    oldest = caughtUp ? undefined : events.at(-1)?.recordedAt;
    waiters.advance(position);
    started?.checkpoint.save(position, caughtUp);
    if (events.length < BATCH) await waiters.quiet(events.length < MUCH ? GATHER_MS : gatherMost, stopping.signal);
  }

  async function readCheckpoint(): Promise<Checkpoint | undefined> {
    try {
      return await checkpoints.get(name);
    } catch (error) {
      failed('its checkpoint cannot be read')(error);
      throw error;
    }
  }

  async function start(): Promise<void> {
    const found = await retry(readCheckpoint, clock, stopping.signal);
    if (stopping.signal.aborted) return;
    const from = BigInt(found?.position ?? 0);
    waiters.advance(from);
    const checkpoint = startCheckpoint({ name, checkpoints, clock, from, saveWithin, failed: failed('its checkpoint cannot be saved') });
    started = { checkpoint, stop: store.subscribe(found ? from : 'start', onBatch) };
  }

  const failed =
    (what: string) =>
    (error: unknown): void =>
      logger.error({ err: error, subscription: name, position: String(waiters.position()) }, what);

  async function newest(): Promise<Position | undefined> {
    try {
      const head = await store.head();
      unreadable = undefined;
      return head;
    } catch (error) {
      const now = clock.now();
      unreadable ??= { since: now, loggedAt: -Infinity };
      if (now - unreadable.loggedAt >= LOG_AGAIN_MS) {
        unreadable.loggedAt = now;
        failed('the store does not say what it has')(error);
      }
      return undefined;
    }
  }

  async function isBehind(): Promise<boolean> {
    const head = await newest();
    if (head === undefined) return true;
    const at = waiters.position();
    if (head <= at) stuck = undefined;
    else if (stuck?.at !== at) stuck = { at, since: clock.now() };
    return stuck !== undefined;
  }

  const ready = start();
  return {
    position: waiters.position,
    waitFor: waiters.waitFor,
    isBehind,
    async lagSeconds() {
      await isBehind();
      const since = Math.min(...[oldest ?? stuck?.since, unreadable?.since].filter((at) => at !== undefined));
      return since === Infinity ? 0 : Math.max(0, clock.now() - since) / 1000;
    },
    async stop() {
      stopping.abort();
      await ready;
      await started?.stop();
      await started?.checkpoint.stop();
    },
  };
}
