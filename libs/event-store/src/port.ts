import type { Position, Recorded, Streams } from '@svc/kernel';

export const BATCH = 200;
/** Most data of a batch: no event is added beyond it. A process holds one batch for each subscription, and what its handlers make of it. */
export const BATCH_BYTES = 4 * 1_048_576;
/** The same of data and states, as `memoryOf` counts them: new streams reach `BATCH_BYTES` first. */
export const BATCH_MEMORY = 24 * 1_048_576;

/** What a subscription gets: events in the order of the store, and the position up to which everything was read (also beyond the last of them). */
export interface Batch {
  /** At most `BATCH`, and no more than `BATCH_BYTES` and `BATCH_MEMORY` except for a single event. Shared with other subscriptions: not to be changed. */
  events: Recorded[];
  position: Position;
  /** There is nothing more to read for now. */
  caughtUp: boolean;
}

export type HandleBatch = (batch: Batch) => Promise<void>;

/** Ends the subscription; resolves when the batch in hand is handled. */
export type Stop = () => Promise<void>;

/** Called with the stream and revision of an event that was appended, by any process. */
export type Appended = (stream: string, revision: bigint) => void;

export interface Watch {
  /** Resolves when every event that is appended from now on will be reported. */
  begun: Promise<void>;
  stop(): void;
}

/**
 * The event store. `read`, `tail` and `append` as in `Streams`: `append` is decided at the exact revision (`'none'`: the stream must not
 * exist), throws `Conflict`, `OutcomeUnknown` or, where it was not sent, `service_unavailable`, and repeated with the same events, ids and revision returns the
 * first result.
 * A subscription gets what this process appended lately as it was given, `after` included.
 * An append of no event, of an event without type, or of more than 1 MiB of data throws a `RangeError`.
 */
export interface EventStore extends Streams {
  /** The position of the newest event; 0 when there is none. One shared read in flight. */
  head(): Promise<Position>;
  /** When the newest event was recorded, in milliseconds since 1970, by the clock of the store's server; undefined where there is none. */
  newestAt(): Promise<number | undefined>;
  /**
   * The revision with which a stream ends, 'none' where there is no stream: with every append that was acknowledged before the call. undefined: the store would have
   * to ask a server, or the end is not on its disk yet.
   */
  end(stream: string): bigint | 'none' | undefined;
  /** Whether its disk takes no writes, so that what this process derives from events stays as it is. False where a server has the disk. */
  refusesWrites(): boolean;
  /**
   * Hands every event after `from` to `handle`, one batch at a time, and continues with new ones. When there is nothing to read at
   * first, it hands over an empty batch. An error of `handle` repeats the batch after a growing delay.
   */
  subscribe(from: Position | 'start', handle: HandleBatch): Stop;
  /**
   * Reports appends of all processes, at once or within some 250 ms, at least once each, in no order, and perhaps some of before. What it costs does not
   * grow with the number of watches; none without one. A connection that is silently dead delays reports, so that who waits for one looks himself now and then.
   */
  watch(appended: Appended): Watch;
}
