import type { PublicEvent } from '@svc/contracts/events/envelope';

/** What a topic accepts in one batch: Kafka's own default. */
export const MAX_BATCH_BYTES = 1_048_588;
/** Most bytes of a record beside its value, and of a batch beside its records. */
export const RECORD_BYTES = 2_500;
export const BATCH_HEAD_BYTES = 100;
/** The largest event, as JSON: one that has a batch to itself. The embedded bus rejects what Kafka would. */
export const MAX_EVENT_BYTES = MAX_BATCH_BYTES - BATCH_HEAD_BYTES - RECORD_BYTES;

/** Why the bus permanently rejects an event; undefined when it accepts it. */
export const tooLarge = (bytes: number): string | undefined =>
  bytes > MAX_EVENT_BYTES ? `it has ${bytes} bytes, and the bus takes ${MAX_EVENT_BYTES}` : undefined;

/** The same without serializing every event: an estimate suffices for most, which are far below the limit. */
export const eventTooLarge = (event: PublicEvent): string | undefined =>
  room(event, MAX_EVENT_BYTES) >= 0 ? undefined : tooLarge(Buffer.byteLength(JSON.stringify(event)));

/** In JSON a character has at most six bytes, and a value that is no text, with punctuation, at most 32. */
const BYTES_OF_A_CHARACTER = 6;
const BYTES_OF_A_VALUE = 32;

/** A lower bound of what remains of `bytes` after a value; below zero as soon as it may not fit. */
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
