import type { Batch, KafkaMessage } from 'kafkajs';
import { MAX_BATCH_BYTES } from '../size.ts';

/**
 * What a consumer requests from a broker. A broker fills its response partition by partition up to `maxBytes`, in the order of the request,
 * which kafkajs shuffles for each fetch. A batch larger than its partition's share is returned only where no earlier partition has data.
 * So a share holds the largest batch, and one response holds the shares of all partitions of a topic.
 */
export const FETCHING = { maxWaitTimeInMs: 100, minBytes: 1, maxBytesPerPartition: MAX_BATCH_BYTES, maxBytes: 16 * 1_048_576 };

/**
 * Copies the messages of a partition. kafkajs hands them out as parts of the broker's whole response, which would stay in memory while a
 * slow partition holds one of them.
 */
export function detach(batch: Batch): void {
  // Besides those handed out kafkajs keeps earlier messages of the same batch.
  const { rawMessages = batch.messages } = batch as Batch & { rawMessages?: KafkaMessage[] };
  const handedOut = new Set(batch.messages);
  for (const message of rawMessages) {
    message.value = handedOut.has(message) && message.value ? Buffer.from(message.value) : null;
    message.key = null;
    message.headers = {};
  }
}
