import type { PublicEvent } from '@svc/contracts/events/envelope';

/**
 * Where an event stands. It is the same whenever the event comes, whoever publishes it and whatever their clocks say. Positions of one
 * part are in the order of its events.
 */
export interface EventPosition {
  /** The partition of its topic; the embedded bus has one part, the store that is published from. */
  part: string;
  at: bigint;
  /** Where the part ended when the event was read, where the bus knows that. */
  end?: bigint;
}

/** An event with its position. */
export interface Taken {
  event: PublicEvent;
  position?: EventPosition | undefined;
}

/** What a handler is given beside its batch, by Nest's `@Ctx()`: the position of each event; undefined where its publisher gave none. */
export interface BatchContext {
  positions: readonly (EventPosition | undefined)[];
}

/** By part of a topic the lowest position that the next event can have, in decimal text. */
export type Ends = Readonly<Record<string, string>>;

/**
 * Whether an event came after these ends were asked for. Undefined where positions do not tell: ends or position are not known, the
 * part is not among the ends, or the part now ends before them, since its topic was created anew and counts from 0 again.
 */
export function comesAfter(ends: Ends | undefined, position: EventPosition | undefined): boolean | undefined {
  const text = position && ends?.[position.part];
  if (position === undefined || text === undefined) return undefined;
  const end = BigInt(text);
  if (position.end !== undefined && position.end < end) return undefined;
  return position.at >= end;
}
