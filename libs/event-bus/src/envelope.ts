import type { PublicEvent } from '@svc/contracts/events/envelope';
import { jsonText } from '@svc/kernel';

const TYPE = /^[a-z][a-z-]{0,63}\.[a-z][a-z0-9-]{0,127}\.v[1-9]\d{0,3}$/;
const isText = (value: unknown): value is string => typeof value === 'string' && value.length > 0 && value.length <= 300;

/** What is wrong with the envelope of a received event; undefined when it is valid. The consumer checks its `data`. */
export function envelopeFault(event: unknown): string | undefined {
  if (typeof event !== 'object' || event === null || Array.isArray(event)) return 'it is no object';
  const { specversion, id, source, type, subject, time, env, account, sequence, traceparent, data } = event as Partial<PublicEvent>;
  if (specversion !== '1.0') return 'specversion is not 1.0';
  if (!isText(id)) return 'id is missing';
  if (!isText(source)) return 'source is missing';
  if (typeof type !== 'string' || !TYPE.test(type)) return 'type is not <context>.<name>.v<n>';
  if (!isText(subject)) return 'subject is missing';
  if (!isText(time)) return 'time is missing';
  if (env !== 'live' && env !== 'test') return 'env is neither live nor test';
  if (!isText(account)) return 'account is missing';
  if (!Number.isSafeInteger(sequence)) return 'sequence is no whole number';
  if (traceparent !== undefined && !isText(traceparent)) return 'traceparent is no text';
  if (typeof data !== 'object' || data === null || Array.isArray(data)) return 'data is no object';
  return undefined;
}

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

/** A character of JSON text in UTF-8 has at most three. */
const BYTES_OF_A_CHARACTER = 3;
/** Fields beside `data`: ids, names, times. */
const ENVELOPE_BYTES = 8 * 1_024;

/** The same for an event whose data do not change any more; most are far below the limit and need not be counted. */
export const eventTooLarge = (event: PublicEvent): string | undefined =>
  isSurelySmall(event) ? undefined : tooLarge(Buffer.byteLength(JSON.stringify(event)));

/** `event` may be anything that was published. */
function isSurelySmall(event: Partial<PublicEvent> | null): boolean {
  const data = event?.data;
  if (typeof data !== 'object' || data === null) return false;
  return ENVELOPE_BYTES + jsonText(data).length * BYTES_OF_A_CHARACTER <= MAX_EVENT_BYTES;
}
