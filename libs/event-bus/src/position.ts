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
 * Whether an event came after these ends were asked for. Undefined where positions do not tell: ends or position are not known, the part is
 * not among the ends, the part ends before the ends or the event, since its topic was created anew and counts from 0 again.
 */
export function comesAfter(ends: Ends | undefined, position: EventPosition | undefined): boolean | undefined {
  const text = position && ends?.[position.part];
  if (position === undefined || text === undefined) return undefined;
  const end = BigInt(text);
  if (position.end !== undefined && (position.end < end || position.end <= position.at)) return undefined;
  return position.at >= end;
}

/**
 * Whether `comesAfter` needs to know where the part ends now (`asOf`): the event may have been read before the ends were asked for, so that
 * it does not show whether the topic was created anew, or it was kept since without its part's end.
 */
export function needsEnds(ends: Ends | undefined, position: EventPosition | undefined): boolean {
  const text = position && ends?.[position.part];
  return text !== undefined && (position?.end === undefined || position.end < BigInt(text));
}

/** The position with the end that its part has now. */
export function asOf(now: Ends, position: EventPosition | undefined): EventPosition | undefined {
  const end = position && now[position.part];
  return position === undefined || end === undefined ? position : { ...position, end: BigInt(end) };
}
