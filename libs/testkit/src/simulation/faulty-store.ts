import type { EventStore } from '@svc/event-store';
import { OutcomeUnknown, type Appended, type NewEvent } from '@svc/kernel';
import type { FaultInjection } from './fault-injection.ts';
import { never } from './lifetime.ts';

/** Probabilities of faults of an append, each from 0 to 1. Its caller gets `OutcomeUnknown` in every case. */
export interface StoreFaults {
  /** The request is lost. */
  lostRequest: number;
  /** The append is decided and the reply lost. */
  lostReply: number;
  /** The request arrives late. */
  late: number;
}

/** Consecutive faults of one stream: the third try succeeds. */
const MOST_IN_A_ROW = 2;
const LATEST_MS = 3_000;

/** A store behind a faulty connection, with crash points before and after an append. */
export function faultyStore(store: EventStore, faults: StoreFaults, injection: FaultInjection): EventStore {
  const { lifetime, random, journal, crashesAt } = injection;
  const inARow = new Map<string, number>();

  const outcomeUnknown = (stream: string, what: string): OutcomeUnknown => {
    inARow.set(stream, (inARow.get(stream) ?? 0) + 1);
    journal.note('store', `${what} ${stream}`);
    return new OutcomeUnknown(what);
  };

  async function append(stream: string, expected: bigint | 'none', events: NewEvent[]): Promise<Appended> {
    if (crashesAt('append sent')) return never();
    const isLimited = (inARow.get(stream) ?? 0) >= MOST_IN_A_ROW;
    const draw = random.next();
    const { lostRequest, lostReply, late } = isLimited || !injection.isActive() ? { lostRequest: 0, lostReply: 0, late: 0 } : faults;
    if (draw < lostRequest) throw outcomeUnknown(stream, 'lost the request of an append to');
    if (draw < lostRequest + late) {
      // Lost with the process, because the store is part of it.
      lifetime.clock.after(random.between(1, LATEST_MS), () => void store.append(stream, expected, events).catch(() => undefined));
      throw outcomeUnknown(stream, 'delays an append to');
    }
    const done = await lifetime.through(store.append(stream, expected, events));
    if (crashesAt('append stored')) return never();
    if (draw < lostRequest + late + lostReply) throw outcomeUnknown(stream, 'lost the reply of an append to');
    inARow.delete(stream);
    return done;
  }

  return {
    read: (...asked) => lifetime.through(store.read(...asked)),
    tail: (stream, max) => lifetime.through(store.tail(stream, max)),
    known: (stream) => store.known(stream),
    end: (stream) => store.end(stream),
    head: () => lifetime.through(store.head()),
    refusesWrites: () => store.refusesWrites(),
    newestAt: () => lifetime.through(store.newestAt()),
    subscribe(from, handle) {
      const stop = store.subscribe(from, (batch) => (lifetime.over ? never() : handle(batch)));
      lifetime.atEnd(() => void stop());
      return stop;
    },
    watch(appended) {
      const watch = store.watch((...event) => void (lifetime.over || appended(...event)));
      lifetime.atEnd(watch.stop);
      return watch;
    },
    append,
  };
}
