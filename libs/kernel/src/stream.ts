import type { Uid } from './ids.ts';

/** What stands beside every stored event. */
export interface EventMetadata {
  /** Version of the event's shape. */
  v: number;
  account: string;
  env: Env;
  command_id?: Uid;
  request_id?: string;
  actor?: Actor;
  traceparent?: string;
  /** Id of the event that led to this one. */
  causation?: string;
  /** Whose personal data `data.personal` is: the codec seals it with that subject's key. */
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
  /** Milliseconds since 1970: when the store took it. */
  recordedAt: number;
  /** Of `data`, as it is stored. */
  bytes: number;
  position: Position;
}

/** A place in the store's one order. */
export type Position = bigint;

/** The stream does not stand where the writer said: nothing was appended. */
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

/** The server did not decide in time: the events may be stored, now or later. */
export class OutcomeUnknown extends Error {
  override readonly name = 'OutcomeUnknown';
}

/** What a command needs of the event store. */
export interface Streams {
  /** From `from` on, in order, up to the event that reaches so many `bytes` of data; [] when there is no such stream. */
  read(stream: string, from?: bigint, max?: number, bytes?: number): Promise<Recorded[]>;
  /** The last `max` events, in order; [] when there is no such stream. Costs the same however long the stream is. */
  tail(stream: string, max: number): Promise<Recorded[]>;
  append(stream: string, expected: bigint | 'none', events: NewEvent[]): Promise<Appended>;
}

export interface Appended {
  /** Of the last event. */
  revision: bigint;
  /** Of the events' data, as it is stored. */
  bytes: number;
}
