import { LRUCache } from 'lru-cache';
import type { NewEvent } from '@svc/kernel';
import type { EncodedEvent } from '../encode-append.ts';

/** Of the data as JSON; the objects take up to three times as much. */
const MOST_BYTES = 8 * 1_048_576;
/** Besides its data: the entry and the id. */
const ENTRY_BYTES = 256;

/**
 * The data of the events that this process appended last, by event id. A subscription of this process that receives such an event hands over the same
 * object: it need not parse it, and what the command remembers by it (`appendedState`) need not be read and folded again.
 */
export function createOwnData(mostBytes = MOST_BYTES) {
  const own = new LRUCache<string, object>({ maxSize: mostBytes, maxEntrySize: mostBytes });
  return {
    /** Before they are sent: a subscription may receive them before the append is answered. */
    add(events: readonly NewEvent[], encoded: readonly EncodedEvent[]): void {
      for (const [n, { id, data }] of events.entries()) own.set(id, data, { size: ENTRY_BYTES + (encoded[n]?.bytes ?? 0) });
    },
    of: (id: string): object | undefined => own.get(id),
  };
}

/** Finds the data of an event by its id, where this process appended it lately. */
export type OwnData = ReturnType<typeof createOwnData>['of'];
