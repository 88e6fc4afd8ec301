import {
  AWAY_RETRY_SECONDS,
  type Clock,
  Conflict,
  createCircuit,
  Denied,
  DomainError,
  type NewEvent,
  OutcomeUnknown,
  type Position,
  type Recorded,
} from '@svc/kernel';
import { bytesOf, encodeAppend, type EncodedEvent } from '../event-bytes.ts';
import type { EventStore, Stop } from '../port.ts';
import { createAppendTurns } from './append-turns.ts';
import { followBySubscription, type RemoteLog } from './subscribe.ts';
import { createOwnEvents, type OwnEvents } from './own-events.ts';
import { type Failure, retryUntil } from './bounded-retry.ts';
import { shareTail, type Sink } from './shared-tail.ts';
import { createWatching, type Found } from './watch.ts';

export type { RemoteLog };

/** The operations of a protocol, one try each: rejects when it fails or its signal aborts, with `Denied` when the server denies the user. */
export interface Verbs {
  /** Up to the event that reaches `bytes`. */
  read(signal: AbortSignal, stream: string, of: { from: bigint; max: number; bytes: number }): Promise<Recorded[]>;
  /** The last `max`, in order. */
  tail(signal: AbortSignal, stream: string, max: number): Promise<Recorded[]>;
  /** Returns the revision of the last event. */
  append(signal: AbortSignal, append: Append): Promise<bigint>;
  /** The position of the newest event; 0 when there is none. */
  newest(signal: AbortSignal): Promise<Position>;
  /** The events after a position, in the order of the store: a bounded number of them. */
  after(signal: AbortSignal, position: Position): Promise<Found>;
  newestAt: (signal: AbortSignal) => ReturnType<EventStore['newestAt']>;
  /** As of `Subscribe`; an event that `own` finds need not be decoded. */
  subscribe(signal: AbortSignal, sink: Sink, own: OwnEvents): Promise<void>;
  /** Whether a repeat would fail alike. */
  isFinal(error: Failure): boolean;
}

export interface Append {
  stream: string;
  expected: bigint | 'none';
  events: readonly NewEvent[];
  /** Of each event, its data. */
  encoded: readonly EncodedEvent[];
}

const READ_MS = 5_000;
const HEAD_MS = 2_000;
const APPEND_MS = 2_000;
const APPENDS_MS = 10_000;
const PING_MS = 1_500;

/**
 * An event store behind a network. Reads and `head` throw `service_unavailable` when it does not answer in time; an append is sent
 * again, with the same ids at the same revision, until it has an answer. What the server denies this user throws `Denied` at once. While the server has
 * answered nothing for 2 s, all of them throw `service_unavailable` at once, reads also when they are under way by then.
 */
export function remoteStore(verbs: Verbs, clock: Clock, logger: RemoteLog) {
  const stops = new Set<Stop>();
  const turns = createAppendTurns(clock);
  const own = createOwnEvents();
  const appending = new Set<Promise<unknown>>();
  const isFinal = (error: unknown): boolean =>
    [Conflict, Denied, OutcomeUnknown, RangeError].some((decided) => error instanceof decided) || verbs.isFinal(error as Failure);
  const within = (ms: number) => ({ each: ms, inAll: ms, clock, isFinal, tooLong: () => unavailable() });
  const circuit = createCircuit({
    ping: () => retryUntil((signal) => verbs.newest(signal), within(PING_MS)),
    refusal: () => unavailable(AWAY_RETRY_SECONDS),
    clock,
    changed: (isOpen) =>
      logger.warn({}, isOpen ? 'the event store does not answer: what needs it is refused until it does' : 'the event store answers again'),
  });

  const newest = oneAtATime(() => retryUntil((signal) => verbs.newest(signal), within(HEAD_MS)));
  const { through } = circuit;
  const head = (): Promise<Position> => through(newest);
  const after = (position: Position): Promise<Found> => retryUntil((signal) => verbs.after(signal, position), within(READ_MS));
  const { watch, reported } = createWatching({ newest: head, after, clock });
  const subscribe = shareTail(reported((signal, sink) => verbs.subscribe(signal, sink, own.of)));

  async function read(stream: string, from = 0n, max = Number.MAX_SAFE_INTEGER, bytes = Infinity): Promise<Recorded[]> {
    return max > 0 ? through(() => retryUntil((signal) => verbs.read(signal, stream, { from, max, bytes }), within(READ_MS))) : [];
  }

  async function append(...[stream, expected, events]: Parameters<EventStore['append']>): ReturnType<EventStore['append']> {
    const encoded = encodeAppend(stream, events);
    const bytes = bytesOf(encoded);
    const tooLong = (cause: unknown): Error => new OutcomeUnknown(`no decision on an append to ${stream}`, { cause });
    let doubt = false;
    const once = async (signal: AbortSignal): Promise<bigint> => {
      try {
        return await verbs.append(signal, { stream, expected, events, encoded });
      } catch (error) {
        if (doubt && error instanceof Denied) throw tooLong(error); // leaves the outcome of earlier tries open
        doubt ||= !isFinal(error);
        throw error;
      }
    };
    const inTurn = async (): Promise<bigint> => {
      const end = await turns.take(events[0]?.metadata.account ?? '', bytes);
      own.add(events, encoded);
      return retryUntil(once, { each: APPEND_MS, inAll: APPENDS_MS, clock, isFinal, tooLong }).finally(end);
    };
    circuit.admit();
    try {
      const revision = await inTurn();
      circuit.hear();
      return { revision, bytes };
    } catch (error) {
      if (error instanceof Conflict) await untilReadable(error, read, clock);
      throw error;
    }
  }

  return {
    store: {
      read,
      known: () => undefined, // Other processes append.
      end: () => undefined,
      tail: (stream, max) => through(() => retryUntil((signal) => verbs.tail(signal, stream, max), within(READ_MS))),
      head,
      refusesWrites: () => false,
      newestAt: () => through(() => retryUntil((signal) => verbs.newestAt(signal), within(HEAD_MS))),
      append(...asked) {
        const done = append(...asked).finally(() => appending.delete(done));
        appending.add(done);
        return done;
      },
      subscribe(from, handle) {
        const stop = followBySubscription({ subscribe, head, clock, logger }, from === 'start' ? 0n : from, handle);
        stops.add(stop);
        return () => stop().finally(() => stops.delete(stop));
      },
      watch,
    } satisfies EventStore,
    /** True when the store answers, else what is wrong. */
    check: (): Promise<true | string> => head().then(() => true, messageOf),
    /** Stops the subscriptions, then waits for the appends in flight: 10 s at most. */
    async drain(): Promise<void> {
      await Promise.all([...stops].map((stop) => stop()));
      await Promise.allSettled(appending);
      circuit.close();
    },
  };
}

const messageOf = (error: unknown): string => (error instanceof Denied ? error.message : String(error));
const unavailable = (retryAfter = 1): DomainError =>
  new DomainError('service_unavailable', 'The event store does not answer. Repeat the request.', undefined, retryAfter);

const WITHIN_MS = 2_000;

/** A server may report a conflict before its cause can be read, and callers read immediately after one. */
async function untilReadable({ stream, actual }: Conflict, read: EventStore['read'], clock: Clock): Promise<void> {
  if (actual === 'none') return;
  const until = clock.now() + WITHIN_MS;
  while ((await read(stream, actual, 1)).length === 0 && clock.now() < until) await clock.sleep(5);
}

/** One `work` at a time. Callers during a run share the next one, since the current run may have started before what they want to see existed. */
function oneAtATime<T>(work: () => Promise<T>): () => Promise<T> {
  let running: Promise<T> | undefined;
  let next: Promise<T> | undefined;

  function start(): Promise<T> {
    next = undefined;
    running = work().finally(() => (running = undefined));
    return running;
  }

  /** A failure now would repeat: the waiting callers get it too. */
  function fail(error: unknown): never {
    next = undefined;
    throw error;
  }
  return () => (running ? (next ??= running.then(start, fail)) : start());
}
