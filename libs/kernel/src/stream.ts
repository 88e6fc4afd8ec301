import type { Uid } from './ids.ts';

/** Stored with every event. */
export interface EventMetadata {
  /** Schema version of the event's data. */
  v: number;
  account: string;
  env: Env;
  command_id?: Uid;
  request_id?: string;
  actor?: Actor;
  traceparent?: string;
  /** Id of the event that led to this one. */
  causation?: string;
  /** The person whose data `data.personal` is: it is stored encrypted with that subject's key. */
  subject?: string;
}

export type Env = 'live' | 'test';

export interface Actor {
  type: 'api_key' | 'member' | 'system';
  id: string;
}

export interface NewEvent {
  id: Uid;
  type: string;
  data: object;
  metadata: EventMetadata;
}

export interface Recorded extends NewEvent {
  stream: string;
  /** 0 for the first event of its stream. */
  revision: bigint;
  /** When the store recorded it, in milliseconds since 1970. */
  recordedAt: number;
  /** Stored bytes of `data`. */
  bytes: number;
  position: Position;
}

/** A position in the global order of the store (`$all`). */
export type Position = bigint;

/** The stream is not at the expected revision. Nothing was appended. */
export class Conflict extends Error {
  override readonly name = 'Conflict';
  constructor(
    readonly stream: string,
    readonly expected: bigint | 'none',
    readonly actual: bigint | 'none',
  ) {
    super(`${stream} is at ${actual}, not at ${expected}`);
  }
}

/** The server did not confirm the append in time. The events may be stored, now or later. */
export class OutcomeUnknown extends Error {
  override readonly name = 'OutcomeUnknown';
}

/** The part of the event store that commands use. */
export interface Streams {
  /** The events from revision `from` on, in order, at most `max`, up to the event with which their data reaches `bytes`; [] if there is no stream. */
  read(stream: string, from?: bigint, max?: number, bytes?: number): Promise<Recorded[]>;
  /** The last `max` events, in order; [] if there is no stream. The cost does not depend on the length of the stream. */
  tail(stream: string, max: number): Promise<Recorded[]>;
  /** Appends all events or none. Throws `Conflict` if the stream is not at revision `expected`, `OutcomeUnknown` without a confirmation. */
  append(stream: string, expected: bigint | 'none', events: NewEvent[]): Promise<Appended>;
}

export interface Appended {
  /** Revision of the last event. */
  revision: bigint;
  /** Stored bytes of the events' data. */
  bytes: number;
}
