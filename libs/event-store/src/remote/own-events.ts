import { LRUCache } from 'lru-cache';
import type { NewEvent } from '@svc/kernel';
import { memoryOf, type EncodedEvent } from '../event-bytes.ts';

/** Of data and states as JSON; the objects of the data take up to three times as much. */
const MOST_BYTES = 72 * 1_048_576;
/** Besides its data: the entry and the id. */
const ENTRY_BYTES = 256;

/**
 * The events that this process appended last, by id. A subscription of this process that receives such an event hands it over as it was appended: it need
 * not parse its data, and the state after it need not be read and folded again.
 */
export function createOwnEvents(mostBytes = MOST_BYTES) {
  const own = new LRUCache<string, NewEvent>({ maxSize: mostBytes, maxEntrySize: mostBytes });
  return {
    /** Before they are sent: a subscription may receive them before the append is answered. */
    add(events: readonly NewEvent[], encoded: readonly EncodedEvent[]): void {
      for (const [n, event] of events.entries())
        own.set(event.id, event, { size: ENTRY_BYTES + memoryOf({ bytes: encoded[n]?.bytes ?? 0, after: event.after }) });
    },
    of: (id: string): NewEvent | undefined => own.get(id),
  };
}

/** Finds an event by its id, where this process appended it lately. */
export type OwnEvents = ReturnType<typeof createOwnEvents>['of'];
