import type { EventStore } from '@svc/event-store';
import { OutcomeUnknown, type Appended, type NewEvent } from '@svc/kernel';
import type { Fate } from './fate.ts';
import { never } from './life.ts';

/** Chances, each from 0 to 1, of what may happen to an append. Its caller hears `OutcomeUnknown` every time. */
export interface StoreFaults {
  /** It never reaches the store. */
  lostRequest: number;
  /** It is decided, and nobody hears how. */
  lostReply: number;
  /** It reaches the store some time later. */
  late: number;
}

/** Troubles of one stream in a row: what is tried three times over gets through. */
const MOST_IN_A_ROW = 2;
const LATEST_MS = 3_000;

/** The store behind a bad connection, and the place of crashes before and after an append. */
export function faultyStore(store: EventStore, faults: StoreFaults, fate: Fate): EventStore {
  const { life, random, journal, dies } = fate;
  const inARow = new Map<string, number>();

  const trouble = (stream: string, what: string): OutcomeUnknown => {
    inARow.set(stream, (inARow.get(stream) ?? 0) + 1);
    journal.note('store', `${what} ${stream}`);
    return new OutcomeUnknown(what);
  };

  async function append(stream: string, expected: bigint | 'none', events: NewEvent[]): Promise<Appended> {
    if (dies('append sent')) return never();
    const isSpared = (inARow.get(stream) ?? 0) >= MOST_IN_A_ROW;
    const luck = random.next();
    const { lostRequest, lostReply, late } = isSpared || !fate.troubled() ? { lostRequest: 0, lostReply: 0, late: 0 } : faults;
    if (luck < lostRequest) throw trouble(stream, 'lost the request of an append to');
    if (luck < lostRequest + late) {
      // It dies with the process, for the store lives in it.
      life.clock.after(random.between(1, LATEST_MS), () => void store.append(stream, expected, events).catch(() => undefined));
      throw trouble(stream, 'delays an append to');
    }
    const done = await life.through(store.append(stream, expected, events));
    if (dies('append stored')) return never();
    if (luck < lostRequest + late + lostReply) throw trouble(stream, 'lost the reply of an append to');
    inARow.delete(stream);
    return done;
  }

  return {
    read: (...asked) => life.through(store.read(...asked)),
    tail: (stream, max) => life.through(store.tail(stream, max)),
    head: () => life.through(store.head()),
    follow(from, handle) {
      const stop = store.follow(from, (batch) => (life.over ? never() : handle(batch)));
      life.atEnd(() => void stop());
      return stop;
    },
    append,
  };
}
