import type { PublicEvent, Topic } from '@svc/contracts/events/envelope';

/**
 * The position of an event. It is the same at every delivery, for every publisher and clock. Positions of one part are in the order of its
 * events.
 */
export interface EventPosition {
  /** The partition of its topic; the embedded bus has one part, the publisher's store. */
  part: string;
  at: bigint;
  /** The end of the part when the event was read, where the bus knows it. */
  end?: bigint;
}

/** An event with its position. */
export interface Taken {
  event: PublicEvent;
  position?: EventPosition | undefined;
}

/** What a handler gets beside its batch, by Nest's `@Ctx()`: its topic, and the position of each event; undefined where its publisher gave none. */
export interface BatchContext {
  topic: Topic;
  positions: readonly (EventPosition | undefined)[];
}

/** For each part of a topic the lowest position that the next event can have, in decimal text. */
export type Ends = Readonly<Record<string, string>>;

/**
 * Whether an event comes after these ends. Undefined where positions do not decide: ends or position are unknown, the part is not among the
 * ends, or the part now ends before them or before the event, since its topic was created anew and counts from 0 again.
 */
export function comesAfter(ends: Ends | undefined, position: EventPosition | undefined): boolean | undefined {
  const text = position && ends?.[position.part];
  if (position === undefined || text === undefined) return undefined;
  const end = BigInt(text);
  if (position.end !== undefined && (position.end < end || position.end <= position.at)) return undefined;
  return position.at >= end;
}

/**
 * Whether `comesAfter` needs the current end of the part (`asOf`): the event may have been read before the ends, so that it does not show
 * whether the topic was created anew, or it was stored without its part's end.
 */
export function needsEnds(ends: Ends | undefined, position: EventPosition | undefined): boolean {
  const text = position && ends?.[position.part];
  return text !== undefined && (position?.end === undefined || position.end < BigInt(text));
}

export function asOf(now: Ends, position: EventPosition | undefined): EventPosition | undefined {
  const end = position && now[position.part];
  return position === undefined || end === undefined ? position : { ...position, end: BigInt(end) };
}
