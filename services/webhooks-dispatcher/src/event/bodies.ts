import type { EventResource } from '@svc/contracts/webhook/event';
import { JsonText, type Turn } from '@svc/kernel';
import { isStored, type StoredEvent, storedEvent, type EventRow, type WebhookEvent } from './event.ts';

/**
 * Where the bodies of events are. The body of an event that is delivered is stored in its row, before its first delivery, and stays as it is: whoever
 * creates a delivery puts the `storedEvent`, which replaces a reference, and every attempt sends the bytes of the row (delivery/in-flight.ts). Only
 * erasure changes them (erase-customer.ts). An event that no endpoint receives is only shown: an adapter decides what is stored of it.
 */
export interface EventBodies {
  /** The row of an event that no endpoint receives. */
  undelivered(event: WebhookEvent): EventRow;
  /** The events of these rows as the API shows them, in their order, without those that cannot be found. Awaits its `turn` before it reads more. */
  shown(rows: readonly EventRow[], turn: Turn): AsyncIterable<EventResource | JsonText>;
  /** The row with its body, which is made where it has none; undefined: its event cannot be found. */
  withBody(row: EventRow, turn: Turn): Promise<StoredEvent | undefined>;
}

/** Every row holds its body: for a process that has no streams to make it from. */
export const storedBodies: EventBodies = {
  undelivered: storedEvent,
  async *shown(rows) {
    for (const row of rows) if (isStored(row)) yield new JsonText(row.body);
  },
  withBody: async (row) => (isStored(row) ? row : undefined),
};
