import type { NewEvent } from '@svc/kernel';

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
