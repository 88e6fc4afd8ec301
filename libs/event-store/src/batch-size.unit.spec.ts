import { sizeOfBatch } from './batch-size.ts';
import { BATCH, BATCH_BYTES } from './port.ts';

const events = (count: number, bytes: number) => Array.from({ length: count }, () => ({ bytes }));

test.each([
  ['nothing', events(0, 1), 0],
  ['small events, limited by number', events(1_000, 100), BATCH],
  ['large events, limited by bytes', events(1_000, BATCH_BYTES / 5), 5],
  ['one event larger than a batch', events(3, BATCH_BYTES + 1), 1],
  ['small ones before a large one', [...events(3, 1), ...events(1, BATCH_BYTES)], 3],
])('a batch of %s', (_, given, size) => expect(sizeOfBatch(given)).toBe(size));
