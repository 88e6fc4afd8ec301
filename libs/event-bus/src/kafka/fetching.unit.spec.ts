import { createRequire } from 'node:module';
import type { Batch } from 'kafkajs';
import { MAX_BATCH_BYTES } from '../envelope.ts';
import { detach, FETCHING } from './group-reader.ts';
import { PARTITIONS } from './topics.ts';

test('a response has room for the largest batch of each partition of a topic', () => {
  expect(FETCHING.maxBytesPerPartition).toBeGreaterThanOrEqual(MAX_BATCH_BYTES);
  expect(FETCHING.maxBytes).toBeGreaterThanOrEqual(PARTITIONS * MAX_BATCH_BYTES);
});

test('a detached batch has the same content and keeps no memory of the response', () => {
  const KafkaBatch = createRequire(import.meta.url)('kafkajs/src/consumer/batch') as new (...given: unknown[]) => Batch;
  const answer = Buffer.allocUnsafeSlow(8_000).fill('keyvalue');
  const message = (offset: number) => ({
    offset: `${offset}`,
    key: answer.subarray(0, 3),
    value: answer.subarray(3, 8),
    headers: { type: answer.subarray(0, 3) },
  });
  const tombstone = { ...message(9), value: null };
  const partitionData = {
    partition: 0,
    highWatermark: '9',
    messages: [6, 7, 8].map(message).concat(tombstone as never),
    abortedTransactions: [],
  };
  const batch = new KafkaBatch('t', '7', partitionData);
  detach(batch);
  expect(batch.messages.map(({ offset, value }) => [offset, value?.toString()])).toEqual([
    ['7', 'value'],
    ['8', 'value'],
    ['9', undefined],
  ]);
  const kept = (batch as unknown as { rawMessages: Record<string, unknown>[] }).rawMessages.flatMap((one) => Object.values(one));
  expect(kept.filter((value) => Buffer.isBuffer(value) && value.buffer === answer.buffer)).toEqual([]);
});
