import type { Producer } from 'kafkajs';
import type { EventBus } from '../port.ts';
import { batchesOf, placeOf, tellMissing, type BusMessage } from './topics.ts';

/**
 * Publishes through a plain producer. kafkajs loses messages silently where a send spans partitions and a leader moves, and their order
 * where it is not awaited: each send is for one partition, and each partition has one in flight. After a rejection some may be there.
 */
export function createPublisher(producer: Pick<Producer, 'send'>): EventBus['publish'] {
  const last = new Map<string, Promise<unknown>>();

  async function send(topic: string, partition: number, batches: BusMessage[][]): Promise<void> {
    for (const messages of batches) {
      const answers = await producer.send({ topic, acks: -1, messages }).catch(tellMissing(topic));
      // A partition that the producer does not know is left out of the answer, and nothing is written.
      const taken = answers.some((answer) => answer.partition === partition && answer.errorCode === 0);
      if (!taken) throw new Error(`${placeOf(topic, partition)} took nothing`);
    }
  }

  return async (topic, events) => {
    const sends = [...batchesOf(events)].map(([partition, batches]) => {
      const place = placeOf(topic, partition);
      const sent = Promise.resolve(last.get(place)).then(() => send(topic, partition, batches));
      last.set(place, Promise.allSettled([sent]));
      return sent;
    });
    const failed = (await Promise.allSettled(sends)).find((result) => result.status === 'rejected');
    if (failed) throw failed.reason;
  };
}
