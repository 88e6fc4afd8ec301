import type { EventStore } from '@svc/event-store';
import { openEventStoreDb, type EventStoreDbOptions } from '@svc/event-store/eventstoredb/open';
import type { OpenServer } from './server.ts';

export function storeOnEventStoreDb(options: EventStoreDbOptions): { eventStore: EventStore; server: OpenServer } {
  const { store, check, close } = openEventStoreDb(options);
  return { eventStore: store, server: { name: 'eventstoredb', check, opens: check, close } };
}
