import { inStoreSpan, type Server } from '@svc/document-store/store-span';
import { categoryOf } from '@svc/kernel';
import { Counter } from 'prom-client';
import type { EventStore } from './port.ts';

/** Where a store is, and what its verbs are called there. */
export interface StoreSpans {
  system: string;
  namespace: string;
  server?: Server;
  operations: { read: string; append: string };
}

/** The store with a client span around each read of a stream and each append, below the span that asks for it. A stream is named by its category. */
export function spannedStore(store: EventStore, { system, namespace, server, operations }: StoreSpans): EventStore {
  const spanned = <T>(operation: string, stream: string, work: () => Promise<T>): Promise<T> =>
    inStoreSpan(() => ({ system, operation, collection: categoryOf(stream), namespace, server }), work);
  return {
    ...store,
    read: (...asked) => spanned(operations.read, asked[0], () => store.read(...asked)),
    tail: (...asked) => spanned(operations.read, asked[0], () => store.tail(...asked)),
    append: (...asked) => spanned(operations.append, asked[0], () => store.append(...asked)),
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
