import type { After } from '@svc/kernel';
import { sizeOfBatch } from './event-bytes.ts';
import { BATCH, BATCH_BYTES, BATCH_MEMORY } from './port.ts';

const events = (count: number, bytes: number, after?: After) => Array.from({ length: count }, () => ({ bytes, after }));
const after = (bytesBefore: number): After => ({ state: {}, bytesBefore });

test.each([
  ['nothing', events(0, 1), 0],
  ['small events, limited by number', events(1_000, 100), BATCH],
  ['large events, limited by bytes', events(1_000, BATCH_BYTES / 5), 5],
  ['one event larger than a batch', events(3, BATCH_BYTES + 1), 1],
  ['small events with small states', events(1_000, 1_000, after(1_000)), BATCH],
  ['large events of new streams, limited by bytes', events(1_000, BATCH_BYTES / 64, after(0)), 64],
  ['small events with large states', events(1_000, 100, after(BATCH_MEMORY / 40)), 9],
  ['small events with the largest states', events(1_000, 100, after(100 * BATCH_MEMORY)), 5],
  ['small ones before a large one', [...events(3, 1), ...events(1, BATCH_BYTES)], 3],
])('a batch of %s', (_, given, size) => expect(sizeOfBatch(given)).toBe(size));
