import { UnknownEvent, type Recorded } from '@svc/kernel';
import { eventTypes, type SubmissionEvent } from './domain/events.ts';

const known: ReadonlySet<string> = new Set(eventTypes);
const VERSION = 1;

export const versionOf = (): number => VERSION;

/** Decodes a stored event. Throws `UnknownEvent` for an unknown type or version: neither a decision nor a publication may guess. */
export function decode(recorded: Recorded): SubmissionEvent {
  const { type, data, metadata } = recorded;
  if (!known.has(type) || metadata.v !== VERSION) throw new UnknownEvent(recorded);
  return { type, data } as SubmissionEvent;
}
