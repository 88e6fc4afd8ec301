import type { Producer } from 'kafkajs';
import type { PublicEvent } from '@svc/contracts/events/envelope';
import { allDone, KeyedQueue, parseExact } from '@svc/kernel';
import { tooLarge } from '../envelope.ts';
import { batchesOf, partitionName, reportMissing, type BusMessage } from './topics.ts';

/** Receives an event that the broker permanently rejects. */
export type Refused = (event: PublicEvent, why: string) => Promise<void>;
export type Publish = (topic: string, events: PublicEvent[], refused: Refused) => Promise<void>;

/**
 * Publishes through a plain producer. kafkajs loses messages silently where a send spans partitions and a leader moves, and loses their order
 * where sends are not awaited: each send is for one partition, and each partition has one in flight. After a rejection some events may be
 * stored. A batch that the broker permanently rejects is sent message by message, and the rejected message goes to `refused`.
 */
export function createPublisher(producer: Pick<Producer, 'send'>): Publish {
  const partitions = new KeyedQueue();

  async function send(topic: string, partition: number, messages: BusMessage[]): Promise<void> {
    const answers = await producer.send({ topic, acks: -1, messages }).catch(reportMissing(topic));
    // kafkajs omits a partition that the producer does not know from the answer and writes nothing.
    const taken = answers.some((answer) => answer.partition === partition && answer.errorCode === 0);
    if (!taken) throw new Error(`${partitionName(topic, partition)} took nothing`);
  }

  async function sendAll(topic: string, partition: number, messages: BusMessage[], refused: Refused): Promise<void> {
    const [first] = messages as [BusMessage];
    const refuse = (why: string): Promise<void> => refused(parseExact(first.value.toString()) as PublicEvent, why);
    const why = messages.length === 1 ? tooLarge(first.value.length) : undefined;
    if (why !== undefined) return refuse(why);
    try {
      await send(topic, partition, messages);
    } catch (error) {
      if (!isRefusal(error)) throw error;
      if (messages.length === 1) return refuse((error as Error).message);
      for (const message of messages) await sendAll(topic, partition, [message], refused);
    }
  }

  return async (topic, events, refused) => {
    await allDone(
      [...batchesOf(events)].map(([partition, batches]) =>
        partitions.add(partitionName(topic, partition), async () => {
          for (const messages of batches) await sendAll(topic, partition, messages, refused);
        }),
      ),
    );
  };
}

/** Errors about the message itself, which repeat when it is sent again. */
const REFUSALS: readonly unknown[] = ['MESSAGE_TOO_LARGE', 'RECORD_LIST_TOO_LARGE', 'INVALID_RECORD'];

function isRefusal(error: unknown): boolean {
  const { type, cause } = error as { type?: unknown; cause?: unknown };
  return REFUSALS.includes(type) || (cause !== undefined && isRefusal(cause));
}
