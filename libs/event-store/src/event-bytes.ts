import { MOST_STATE_BYTES, type Recorded, type NewEvent } from '@svc/kernel';
import { BATCH, BATCH_BYTES, BATCH_MEMORY } from './port.ts';

/** A state, what is made of it and its text take up to so many times the bytes of its events; it counts no more than what replaces itself may hold. */
const TIMES = 4;
const AFTER_BYTES = 1_024;

type Measured = Pick<Recorded, 'bytes' | 'after'>;

/** Bytes of an event in memory: of its data, and of the state that it carries. */
export const memoryOf = ({ bytes, after }: Measured): number =>
  bytes + (after ? AFTER_BYTES + TIMES * Math.min(after.bytesBefore + bytes, MOST_STATE_BYTES) : 0);

/** How many of these events, in order, make one batch: at least one where there is any. */
export function sizeOfBatch(events: Iterable<Measured>): number {
  let [count, data, memory] = [0, 0, 0];
  for (const event of events) {
    data += event.bytes;
    memory += memoryOf(event);
    if (count > 0 && (data > BATCH_BYTES || memory > BATCH_MEMORY)) return count;
    count += 1;
    if (count === BATCH) return count;
  }
  return count;
}

/** EventStoreDB's default MaxAppendSize: the sum of the data of one append, in bytes. */
export const MAX_APPEND_BYTES = 1_048_576;

export interface EncodedEvent {
  data: string;
  /** Of `data`. */
  bytes: number;
}

/** The sum of `data` of all. */
export const bytesOf = (encoded: readonly EncodedEvent[]): number => encoded.reduce((sum, { bytes }) => sum + bytes, 0);

/** The JSON of each event's data. Throws `RangeError` for what some adapter does not accept, so that all reject it alike before anything is sent. */
export function encodeAppend(stream: string, events: readonly NewEvent[]): EncodedEvent[] {
  if (events.length === 0) throw new RangeError(`nothing to append to ${stream}`);
  let bytes = 0;
  const encoded = events.map(({ type, data }) => {
    if (type === '') throw new RangeError(`an event for ${stream} has no type`); // EventStoreDB answers it twice, which breaks its client
    const text = JSON.stringify(data);
    const size = Buffer.byteLength(text);
    bytes += size;
    return { data: text, bytes: size };
  });
  if (bytes > MAX_APPEND_BYTES)
    throw new RangeError(`${events.length} events for ${stream} hold ${bytes} bytes: one append takes at most ${MAX_APPEND_BYTES}`);
  return encoded;
}
