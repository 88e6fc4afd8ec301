import type { PublicEvent } from '@svc/contracts/events/envelope';
import type { DeadLetters } from '../dead-letter.ts';

const ERASED = /^invoicing\.customer-erased\.v\d+$/;

/** Deletes what a group's dead letters hold of customers that these events say were erased; the events that say so may stay. */
export async function eraseLetters(deadLetters: DeadLetters, group: string, events: PublicEvent[]): Promise<void> {
  for (const { subject } of events.filter(({ type }) => ERASED.test(type))) {
    const letters = deadLetters(group);
    for await (const { _id, event_type } of letters.find({ subject }))
      if (!ERASED.test(event_type ?? '')) await letters.write([{ delete: _id }]);
  }
}
