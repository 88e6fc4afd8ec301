import type { PublicEvent } from '@svc/contracts/events/envelope';
import type { DeadLetters } from '../dead-letter.ts';

const ERASED = /^invoicing\.customer-erased\.v\d+$/;

/** Deletes the dead letters of a group with data of customers whose erasure is among these events; those of the erasures themselves may stay. */
export async function eraseDeadLetters(deadLetters: DeadLetters, group: string, events: PublicEvent[]): Promise<void> {
  for (const { subject } of events.filter(({ type }) => ERASED.test(type))) {
    const ofGroup = deadLetters(group);
    for await (const { _id, event_type } of ofGroup.find({ subject }))
      if (!ERASED.test(event_type ?? '')) await ofGroup.write([{ delete: _id }]);
  }
}
