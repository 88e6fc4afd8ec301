import type { PublicEvent } from '@svc/contracts/events/envelope';
import type { DeadLetters } from '../dead-letter.ts';

const ERASED = /^invoicing\.customer-erased\.v\d+$/;

/** Deletes the letters of a group that hold data of customers whose erasure is among these events; the letters of the erasures themselves may stay. */
export async function eraseLetters(deadLetters: DeadLetters, group: string, events: PublicEvent[]): Promise<void> {
  for (const { subject } of events.filter(({ type }) => ERASED.test(type))) {
    const letters = deadLetters(group);
    for await (const { _id, event_type } of letters.find({ subject }))
      if (!ERASED.test(event_type ?? '')) await letters.write([{ delete: _id }]);
  }
}
