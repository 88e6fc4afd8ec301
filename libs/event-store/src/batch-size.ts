import { BATCH, BATCH_BYTES } from './port.ts';

/** How many of these events, in order, make one batch: at least one where there is any. */
export function sizeOfBatch(events: Iterable<{ bytes: number }>): number {
  let count = 0;
  let bytes = 0;
  for (const event of events) {
    bytes += event.bytes;
    if (count > 0 && bytes > BATCH_BYTES) return count;
    count += 1;
    if (count === BATCH) return count;
  }
  return count;
}
