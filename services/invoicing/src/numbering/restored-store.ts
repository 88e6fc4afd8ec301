import type { DocumentStore } from '@svc/document-store';
import { findRestored } from '@svc/document-store/restored';
import type { EventStore } from '@svc/event-store';
import type { Clock, Position } from '@svc/kernel';

/** That the event store was restored from a backup. */
export interface RestoredStore {
  /** When the first process after it started, ISO 8601. */
  at: string;
  /** The position of the last event that the backup held. */
  until: Position;
}

/** Whether this service began on a restored store; undefined where it did not. Call it before the service serves. */
export async function restoredStore(
  documents: DocumentStore,
  store: Pick<EventStore, 'head'>,
  clock: Pick<Clock, 'now'>,
): Promise<RestoredStore | undefined> {
  const found = await findRestored(documents, clock, async () => ({ until: String(await store.head()) }));
  return found ? { at: found.at, until: BigInt(found.mark.until) } : undefined;
}
