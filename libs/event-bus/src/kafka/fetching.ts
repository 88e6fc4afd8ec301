import type { Batch, KafkaMessage } from 'kafkajs';
import { MAX_BATCH_BYTES } from '../size.ts';

/**
 * What a consumer asks a broker for. A broker fills its answer partition by partition until `maxBytes` are used up, in the order that it is
 * asked in, which kafkajs shuffles for each fetch. A batch larger than its partition's share comes only where no partition before it has
 * anything, so a share holds the largest batch there is; and one answer holds the shares of all partitions of a topic.
 */
export const FETCHING = { maxWaitTimeInMs: 100, minBytes: 1, maxBytesPerPartition: MAX_BATCH_BYTES, maxBytes: 16 * 1_048_576 };

/**
 * Gives the messages of a partition memory of their own. As kafkajs hands them out they are parts of the broker's whole answer, all of
 * which stays in memory while a slow partition has one of them.
 */
export function detach(batch: Batch): void {
  // Besides those handed out kafkajs keeps the ones of the same batch that were handled before.
  const { rawMessages = batch.messages } = batch as Batch & { rawMessages?: KafkaMessage[] };
  const handedOut = new Set(batch.messages);
  for (const message of rawMessages) {
    message.value = handedOut.has(message) && message.value ? Buffer.from(message.value) : null;
    message.key = null;
    message.headers = {};
  }
}
