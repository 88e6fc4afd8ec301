import type { Found, PublishedEvents, Wanted } from '@svc/event-bus/publishing/published-events';
import { JsonText } from '@svc/kernel';
import { LRUCache } from 'lru-cache';
import type { EventBodies } from './bodies.ts';
import { eventReference, eventResource, isStored, storedEvent, type EventReference, type EventRow } from './event.ts';

/** Memory for what is read of several streams; one stream may take more. */
const MEMORY_BYTES = 1024 * 1024;

/** Rows of events that no endpoint receives are references: their bodies are made from the streams of their resources, where this process has them. */
export const bodiesFromStreams = (published: PublishedEvents): EventBodies => ({
  undelivered: eventReference,
  async *shown(rows, turn) {
    const found = new LRUCache<string, Found['events']>({ maxSize: MEMORY_BYTES });
    for (const [n, row] of rows.entries()) {
      if (isStored(row)) {
        yield new JsonText(row.body);
        continue;
      }
      let make = found.get(row.resource_id)?.get(row._id);
      if (!make) {
        const { events, bytes } = await published(wantedFor(row, rows.slice(n)), turn);
        found.set(row.resource_id, events, { size: Math.max(1, Math.min(bytes, MEMORY_BYTES)) });
        make = events.get(row._id);
      }
      if (make) yield eventResource({ event: make(), type: row.type });
    }
  },
  async withBody(row, turn) {
    if (isStored(row)) return row;
    const { events } = await published(wantedFor(row, [row]), turn);
    const event = events.get(row._id)?.();
    const { position, log_position } = row;
    return event && { ...storedEvent({ event, type: row.type }), ...(position && { position }), ...(log_position && { log_position }) };
  },
});

/** A row's event and those of the same resource that come after it on the page. Later versions are omitted, so that this one is found. */
function wantedFor({ type, env, account, resource_id, sequence }: EventReference, rows: readonly EventRow[]): Wanted {
  const same = rows.flatMap((row) => (!isStored(row) && row.resource_id === resource_id && row.sequence <= sequence ? [row] : []));
  return {
    category: type.slice(0, type.indexOf('.')),
    ...{ env, account, subject: resource_id },
    sequences: new Map(same.map((row) => [row._id, row.sequence])),
  };
}
