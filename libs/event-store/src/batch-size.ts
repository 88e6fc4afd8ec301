import { MOST_STATE_BYTES, type Recorded } from '@svc/kernel';
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
