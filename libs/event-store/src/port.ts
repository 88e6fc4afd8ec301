import type { Position, Recorded, Streams } from '@svc/kernel';

/** Events in one batch, at most. */
export const BATCH = 200;
/** Of the data of a batch: no event is added beyond it. A process holds a batch for each subscription, and what its handlers make of it. */
export const BATCH_BYTES = 4 * 1_048_576;

/** What a subscription gets: events in the order of the store, and the position up to which all was read (also beyond the last of them). */
export interface Batch {
  /** At most `BATCH`, and no more than `BATCH_BYTES` but for a single one. Shared with other subscriptions: not to be changed. */
  events: Recorded[];
  position: Position;
  /** Nothing more to read at the time. */
  caughtUp: boolean;
}

export type HandleBatch = (batch: Batch) => Promise<void>;

/** Stops following; resolves when the batch in hand is through. */
export type Stop = () => Promise<void>;

/**
 * The event store. `read`, `tail` and `append` as in `Streams`: `append` is decided at the exact revision (`'none'`: the stream must not
 * exist), throws `Conflict` or `OutcomeUnknown`, and repeated with the same events, ids and revision answers as the first time.
 * An append of no event, of an event without type, or of more than 1 MiB of data is refused with a `RangeError`.
 */
export interface EventStore extends Streams {
  /** The position of the newest event; 0 when there is none. One shared read in flight. */
  head(): Promise<Position>;
  /**
   * Hands every event after `from` to `handle`, one batch at a time, and goes on with what comes. When there is nothing to read at
   * first, an empty batch says so. An error of `handle` repeats the batch after a growing delay.
   */
  subscribe(from: Position | 'start', handle: HandleBatch): Stop;
}
