import type { Uid } from './ids.ts';
import { nextTurn, type Turn } from './turns.ts';

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
  /** The session of the member began by a one-time link, which proves no e-mail. */
  via?: 'link';
  /** Address that the request came from. */
  ip?: string;
}

export interface NewEvent {
  id: Uid;
  type: string;
  data: object;
  metadata: EventMetadata;
  /** For the subscriptions of this process: neither stored nor sent, so that an event that is read has none. */
  after?: After | undefined;
}

/** The state after an event, as its command knows it. Not to be changed. */
export interface After {
  state: unknown;
  /** Stored bytes of the events that it was folded from, before the append. */
  bytesBefore: number;
  /** What `madeAfter` made of it. */
  made?: object;
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
  /** The revision with which the stream ends, 'none' where there is no stream; undefined where the store does not know without asking. */
  known(stream: string): bigint | 'none' | undefined;
  /** Appends all events or none. Throws `Conflict` if the stream is not at revision `expected`, `OutcomeUnknown` without a confirmation. */
  append(stream: string, expected: bigint | 'none', events: NewEvent[]): Promise<Appended>;
}

export interface Appended {
  revision: bigint;
  /** Stored bytes of the events' data. */
  bytes: number;
}

/** `<category>-<env>.<account>.<id>`. The name contains the tenant, so an id of another tenant names a stream that does not exist. */
export const streamOf = (category: string, env: Env, account: string, id: string): string => `${category}-${env}.${account}.${id}`;

/** The category ends at the first `-`. */
export const categoryOf = (stream: string): string => stream.slice(0, stream.indexOf('-'));

/** The environment, behind the category. */
export const envIn = (stream: string): string => stream.slice(stream.indexOf('-') + 1, stream.indexOf('.'));

export const accountIn = (stream: string): string => stream.split('.', 2)[1] ?? '';

/** The resource's id: the part after environment and account. */
export function idOf(stream: string): string {
  const env = stream.indexOf('.');
  return stream.slice(stream.indexOf('.', env + 1) + 1);
}

/** The turn of the account that owns the stream, in rotation with other accounts. */
export const turnOf =
  (stream: string): Turn =>
  () =>
    nextTurn(accountIn(stream));

/** Bytes of data that are parsed at once, unless a single event is larger: about a millisecond. */
const PIECE_BYTES = 64 * 1024;
/** Events that the first read requests. A server sends all of them, and what exceeds the piece is discarded. */
const FIRST_EVENTS = 16;
const MOST_EVENTS = 1_000;

/** Reads a stream in pieces of some 64 KiB. Awaits `turn` before it yields a piece, except for a stream that is one small piece. */
export async function* piecesOf(
  { read }: Pick<Streams, 'read'>,
  { stream, from = 0n, turn }: { stream: string; from?: bigint; turn: Turn },
): AsyncGenerator<Recorded[]> {
  let max = FIRST_EVENTS;
  for (let next = from; ;) {
    const piece = await read(stream, next, max, PIECE_BYTES);
    const last = piece.at(-1);
    if (last === undefined) return;
    const bytes = piece.reduce((sum, event) => sum + event.bytes, 0);
    const isLast = piece.length < max && bytes < PIECE_BYTES;
    if (!isLast || next > from) await turn(bytes);
    yield piece;
    if (isLast) return;
    next = last.revision + 1n;
    max = Math.min(MOST_EVENTS, Math.ceil((2 * PIECE_BYTES * piece.length) / Math.max(1, bytes)));
  }
}
