import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Engine } from '@svc/embedded';
import { Conflict, type Clock, type NewEvent, type Position, type Recorded, retry, recentlyUsed } from '@svc/kernel';
import { bytesOf, encodeAppend, type EncodedEvent } from '../event-bytes.ts';
import type { Appended, EventStore } from '../port.ts';
import { observedStore } from '../observed-store.ts';
import { eventsTable } from './events-table.ts';
import { RecentEvents, Wake } from './recent-events.ts';

/** A name and a number: some 200 bytes each. */
const KNOWN_HEADS = 50_000;

const LOG_AGAIN_MS = 60_000;
const silent = { error: (_fields: object, _message: string): void => undefined };

/**
 * The event store on the embedded engine: an append is one write of the turn's transaction, and is acknowledged when that is on the disk, and
 * cannot be read before. One for each engine. Subscriptions that cannot read log it once a minute.
 */
export function embeddedEventStore(engine: Engine, clock: Clock, logger = silent): EventStore {
  const table = eventsTable(engine);
  /** Last revisions, what is not on the disk yet included; -1 for a stream that does not exist. No Map, whose search for its oldest entry passes all that were deleted before it. */
  const heads = recentlyUsed<number>(KNOWN_HEADS);
  const recent = new RecentEvents();
  const wake = new Wake();
  const subscriptions = new Map<object, Position>();
  const watchers = new Set<{ appended: Appended }>();
  let head = table.newest();

  /** Runs in the transaction. Returns what was appended: [] when these events exist already. */
  function appendNow(stream: string, expected: bigint | 'none', events: NewEvent[], encoded: EncodedEvent[]): Recorded[] {
    const last = expected === 'none' ? -1 : Number(expected);
    // Of a stream that is to be new nothing is looked up: its first event can be inserted only where there is none.
    const actual = last === -1 ? -1 : (heads.get(stream) ?? table.headOf(stream));
    if (actual !== last) return repeated(stream, expected, events, actual);
    const now = clock.now();
    const recorded: Recorded[] = [];
    try {
      for (const event of events) {
        const n = recorded.length;
        recorded.push(table.insert(stream, last + 1 + n, event, encoded[n] as EncodedEvent, now));
      }
    } catch (error) {
      if (recorded.length > 0) table.undo(stream, last + 1);
      else if (isUniqueViolation(error)) return repeated(stream, expected, events, table.headOf(stream));
      throw error;
    }
    heads.set(stream, last + events.length);
    return recorded;
  }

  /** The stream is at `actual`, which is not expected: [] where that is because these events exist already. */
  function repeated(stream: string, expected: bigint | 'none', events: NewEvent[], actual: number): [] {
    if (table.holds(stream, expected === 'none' ? 0 : Number(expected) + 1, events)) return [];
    throw new Conflict(stream, expected, actual === -1 ? 'none' : BigInt(actual));
  }

  const store: EventStore = {
    async read(stream, from = 0n, max = -1, bytes = Infinity) {
      const last = heads.get(stream);
      if (last !== undefined && Number(from) > last) return [];
      await table.syncOf(stream);
      const found = table.ofStream(stream, Number(from), { max, bytes });
      const isAll = (max === -1 || found.length < max) && sumOf(found) < bytes;
      // The append that follows a read to the end, or of an empty stream, need not look the revision up again.
      if (last === undefined && isAll)
        heads.set(stream, found.length > 0 ? Number(found.at(-1)?.revision) : from === 0n ? -1 : table.headOf(stream));
      return found;
    },

    async tail(stream, max) {
      if (heads.get(stream) === -1) return [];
      await table.syncOf(stream);
      const found = table.last(stream, max);
      if (!heads.has(stream)) heads.set(stream, Number(found.at(-1)?.revision ?? -1));
      return found;
    },

    known(stream) {
      const last = heads.get(stream);
      return last === undefined || table.syncOf(stream) ? undefined : revisionOf(last);
    },

    end(stream) {
      if (table.syncOf(stream)) return undefined;
      let last = heads.get(stream);
      if (last === undefined) heads.set(stream, (last = table.headOf(stream)));
      return revisionOf(last);
    },

    async append(stream, expected, events) {
      const encoded = encodeAppend(stream, events);
      table.recall(stream, events);
      let recorded: Recorded[];
      try {
        recorded = await engine.write(() => appendNow(stream, expected, events, encoded), events[0]?.metadata.command_id);
      } catch (error) {
        if (!(error instanceof Conflict)) heads.clear(); // the whole turn may have been rolled back, and with it what these caches hold
        throw error;
      }
      const newest = recorded.at(-1);
      if (newest) {
        head = newest.position;
        if (subscriptions.size > 0) recent.add(recorded);
        wake.all();
        for (const { appended } of watchers) for (const event of recorded) appended(stream, event.revision);
      }
      return { revision: (expected === 'none' ? -1n : expected) + BigInt(events.length), bytes: bytesOf(encoded) };
    },

    async head() {
      return head;
    },

    newestAt: async () => table.newestAt(),

    refusesWrites: () => engine.refusesWrites,

    subscribe(from, handle) {
      const stopping = new AbortController();
      const me = {};
      let position: Position = from === 'start' ? 0n : from;
      subscriptions.set(me, position);

      let loggedAt = -Infinity;
      function read(): Recorded[] {
        try {
          return recent.after(position) ?? table.between(position, head);
        } catch (error) {
          if (clock.now() - loggedAt >= LOG_AGAIN_MS) {
            loggedAt = clock.now();
            logger.error(
              { err: error, position: String(position) },
              'a subscription cannot read the events that come next; it tries again',
            );
          }
          throw error;
        }
      }

      async function next(always: boolean): Promise<bigint> {
        const events = read();
        const last = events.at(-1)?.position ?? latest(position, head);
        if (events.length > 0 || always) await handle({ events, position: last, caughtUp: last >= head });
        return last;
      }

      async function run(): Promise<void> {
        await nextTurn();
        for (let first = true; ; first = false) {
          const last = await retry(() => next(first), clock, stopping.signal);
          if (last === undefined) return;
          position = last;
          subscriptions.set(me, position);
          recent.forget(earliest(subscriptions.values(), head));
          if (position >= head) await wake.wait(stopping.signal);
        }
      }

      const done = run().finally(() => {
        subscriptions.delete(me);
        recent.forget(earliest(subscriptions.values(), head));
      });
      return async () => {
        stopping.abort();
        await done;
      };
    },

    watch(appended) {
      const watcher = { appended };
      watchers.add(watcher);
      return { begun: Promise.resolve(), stop: () => void watchers.delete(watcher) };
    },
  };
  return observedStore(store, { system: 'sqlite', namespace: 'events', operations: { read: 'SELECT', append: 'INSERT' } });
}

/** SQLITE_CONSTRAINT_UNIQUE */
const isUniqueViolation = (error: unknown): boolean => (error as { errcode?: unknown }).errcode === 2067;

const revisionOf = (last: number): bigint | 'none' => (last === -1 ? 'none' : BigInt(last));
const sumOf = (events: readonly Recorded[]): number => events.reduce((sum, { bytes }) => sum + bytes, 0);
const latest = (a: Position, b: Position): Position => (a > b ? a : b);

const earliest = (positions: Iterable<Position>, head: Position): Position => {
  let least = head;
  for (const position of positions) if (position < least) least = position;
  return least;
};
