import type { Recorded } from '@svc/kernel';
import { eventTypes, type SubmissionEvent } from './domain/events.ts';

const known: ReadonlySet<string> = new Set(eventTypes);
const VERSION = 1;

export const versionOf = (): number => VERSION;

/** Stored JSON as today's event; throws on what this release does not know: neither a decision nor a publication may guess. */
export function decode({ stream, type, data, metadata }: Recorded): SubmissionEvent {
  if (!known.has(type) || metadata.v !== VERSION)
    throw new Error(`${stream} holds ${type} v${metadata.v}, which this release does not know`);
  return { type, data } as SubmissionEvent;
}
