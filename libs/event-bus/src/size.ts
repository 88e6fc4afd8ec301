import type { PublicEvent } from '@svc/contracts/events/envelope';

/** What a topic takes in one batch: Kafka's own default. */
export const MAX_BATCH_BYTES = 1_048_588;
/** At most what a record takes beside its value; what a batch takes beside its records. */
export const RECORD_BYTES = 2_500;
export const BATCH_HEAD_BYTES = 100;
/** The largest event, as JSON: one that goes alone in a batch. The embedded bus refuses what Kafka would. */
export const MAX_EVENT_BYTES = MAX_BATCH_BYTES - BATCH_HEAD_BYTES - RECORD_BYTES;

/** Why the bus takes no such event, now or later; undefined when it does. */
export const tooLarge = (bytes: number): string | undefined =>
  bytes > MAX_EVENT_BYTES ? `it has ${bytes} bytes, and the bus takes ${MAX_EVENT_BYTES}` : undefined;

/** The same without making JSON of every event: most are far below the limit, and a look says so. */
export const eventTooLarge = (event: PublicEvent): string | undefined =>
  room(event, MAX_EVENT_BYTES) >= 0 ? undefined : tooLarge(Buffer.byteLength(JSON.stringify(event)));

/** As JSON a character has at most six bytes, and what is no text, with its punctuation, at most 32. */
const BYTES_OF_A_CHARACTER = 6;
const BYTES_OF_A_VALUE = 32;

/** What is left of `bytes` once a value is written, at least; below zero as soon as it may not fit. */
function room(value: unknown, bytes: number): number {
  if (typeof value === 'string') return bytes - value.length * BYTES_OF_A_CHARACTER - BYTES_OF_A_VALUE;
  let left = bytes - BYTES_OF_A_VALUE;
  if (typeof value !== 'object' || value === null) return left;
  for (const key in value) {
    left = room((value as Record<string, unknown>)[key], left - key.length * BYTES_OF_A_CHARACTER);
    if (left < 0) return left;
  }
  return left;
}
