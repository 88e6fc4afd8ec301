import { setTimeout } from 'node:timers/promises';
import kafkajs from 'kafkajs';

/**
 * Longer than a killed broker's session and the following elections take. All values are given, because kafkajs has other defaults under
 * Jest.
 */
const retry = { initialRetryTime: 300, multiplier: 1.5, maxRetryTime: 2_000, factor: 0.2, retries: 60 };
const kafkaAt = (brokers: string): kafkajs.Kafka =>
  new kafkajs.Kafka({ clientId: 'spec', brokers: brokers.split(','), logLevel: kafkajs.logLevel.NOTHING, retry });

/** Creates a topic of one partition. Brokers learn of it one after the other, and kafkajs gives up at one that has not. */
export async function createTopic(brokers: string, topic: string, replicationFactor: number): Promise<void> {
  const admin = kafkaAt(brokers).admin();
  await admin.connect();
  await admin.createTopics({ topics: [{ topic, numPartitions: 1, replicationFactor }], waitForLeaders: false });
  while (!(await admin.fetchTopicOffsets(topic).catch(() => undefined))) await setTimeout(50);
  await admin.disconnect();
}

export async function send(brokers: string, topic: string, values: string[]): Promise<void> {
  const producer = kafkaAt(brokers).producer();
  await producer.connect();
  for (const value of values) await producer.send({ topic, acks: -1, messages: [{ value }] });
  await producer.disconnect();
}

/** Reads the first messages of a topic. */
export async function read(brokers: string, topic: string, count: number): Promise<string[]> {
  const groupId = `spec-${topic}`;
  const kafka = kafkaAt(brokers);
  const admin = kafka.admin();
  await admin.connect();
  // A consumer ends when its group has no coordinator yet.
  while (!(await admin.fetchOffsets({ groupId, topics: [topic] }).catch(() => undefined))) await setTimeout(50);
  await admin.disconnect();
  const consumer = kafka.consumer({ groupId });
  const values: string[] = [];
  await consumer.connect();
  await consumer.subscribe({ topic, fromBeginning: true });
  await new Promise<void>((resolve) => {
    const eachMessage = async ({ message }: kafkajs.EachMessagePayload): Promise<void> => {
      if (values.push(String(message.value)) === count) resolve();
    };
    void consumer.run({ eachMessage });
  });
  await consumer.disconnect();
  return values;
}
