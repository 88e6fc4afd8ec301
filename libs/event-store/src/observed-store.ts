import { countFailures, type StoreOperation, inStoreSpan, type Server } from '@svc/document-store/store-span';
import { categoryOf, Conflict } from '@svc/kernel';
import { Counter } from 'prom-client';
import type { EventStore } from './port.ts';

/** Where a store is, and what its verbs are called there. */
export interface StoreSpans {
  system: string;
  namespace: string;
  server?: Server;
  operations: { read: string; append: string };
}

/** What the store answers to an append that it does not take. */
const isAnswer = (error: unknown): boolean => error instanceof Conflict || error instanceof RangeError;

/**
 * The store with a client span around each read of a stream and each append, below the span that asks for it. A stream is named by its category.
 * Counts those that fail.
 */
export function observedStore(store: EventStore, { system, namespace, server, operations }: StoreSpans): EventStore {
  const counted = countFailures(system, isAnswer);
  const names = { read: operations.read, write: operations.append };
  const observed = <T>(operation: StoreOperation, stream: string, work: () => Promise<T>): Promise<T> => {
    const about = () => ({ system, operation: names[operation], collection: categoryOf(stream), namespace, server });
    return counted(operation, () => inStoreSpan(about, work));
  };
  return {
    ...store,
    read: (...asked) => observed('read', asked[0], () => store.read(...asked)),
    tail: (...asked) => observed('read', asked[0], () => store.tail(...asked)),
    append: (...asked) => observed('write', asked[0], () => store.append(...asked)),
  };
}

const appended = new Counter({
  name: 'svc_events_appended_total',
  help: 'Events that the event store took.',
  labelNames: ['service'],
});

/** The store of one service of the process, which counts the events that it appends. */
export function countedStore(store: EventStore, service: string): EventStore {
  const counter = appended.labels(service);
  return {
    ...store,
    async append(stream, expected, events) {
      const done = await store.append(stream, expected, events);
      counter.inc(events.length);
      return done;
    },
  };
}
