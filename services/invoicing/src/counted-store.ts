import type { EventStore } from '@svc/event-store';
import { Counter, register } from '@svc/service';

const NAME = 'svc_events_appended_total';
/** One for the process, whichever of its services asks first. */
const appended = (): Counter =>
  (register.getSingleMetric(NAME) as Counter | undefined) ??
  new Counter({ name: NAME, help: 'Events that the event store took.', labelNames: ['service'] });

/** Counts what is appended. */
export function countedStore(store: EventStore, service: string): EventStore {
  const counter = appended().labels(service);
  return {
    head: () => store.head(),
    read: (...asked) => store.read(...asked),
    tail: (stream, max) => store.tail(stream, max),
    subscribe: (from, handle) => store.subscribe(from, handle),
    async append(stream, expected, events) {
      const done = await store.append(stream, expected, events);
      counter.inc(events.length);
      return done;
    },
  };
}
