import { OutcomeUnknown } from '@svc/kernel';
import type { EventStore } from '../port.ts';

/** Probabilities, each from 0 to 1, of faults of an append. Its caller always gets `OutcomeUnknown`. */
export interface Faults {
  /** It never reaches the store. */
  lostRequest: number;
  /** It is decided, and the answer is lost. */
  lostReply: number;
  /** It reaches the store some time later: on a later append, or on `land`. */
  late: number;
}

export interface FaultyStore extends EventStore {
  /** What is still in flight arrives now. */
  land(): Promise<void>;
}

/** The store behind a faulty connection. `random` decides, so that a seed replays a failure. */
export function faultyStore(store: EventStore, faults: Faults, random: () => number): FaultyStore {
  let underWay: (() => Promise<unknown>)[] = [];

  async function land(): Promise<void> {
    const landing = underWay;
    underWay = [];
    await Promise.allSettled(landing.map((append) => append()));
  }

  return {
    read: (...asked) => store.read(...asked),
    tail: (stream, max) => store.tail(stream, max),
    known: (stream) => store.known(stream),
    end: (stream) => store.end(stream),
    head: () => store.head(),
    newestAt: () => store.newestAt(),
    refusesWrites: () => store.refusesWrites(),
    subscribe: (from, handle) => store.subscribe(from, handle),
    watch: (appended) => store.watch(appended),
    land,
    async append(stream, expected, events) {
      const chance = random();
      if (underWay.length > 0 && random() < 0.5) await land();
      if (chance < faults.lostRequest) throw new OutcomeUnknown('the request was lost');
      if (chance < faults.lostRequest + faults.lostReply) {
        await store.append(stream, expected, events).catch(() => undefined);
        throw new OutcomeUnknown('the reply was lost');
      }
      if (chance < faults.lostRequest + faults.lostReply + faults.late) {
        underWay.push(() => store.append(stream, expected, events));
        throw new OutcomeUnknown('no reply in time');
      }
      return store.append(stream, expected, events);
    },
  };
}
