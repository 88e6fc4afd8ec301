import { KafkaBus, type KafkaBusOptions } from '@svc/event-bus/kafka/kafka-bus';
import { createTopics } from '@svc/event-bus/kafka/topics';
import type { OpenServer } from './server.ts';

/** Opens the bus on Kafka and creates missing topics, because a one-process system has no separate operator for them. */
export function busOnKafka(options: KafkaBusOptions): { bus: KafkaBus; server: OpenServer } {
  const bus = new KafkaBus(options);
  const opens = async (): Promise<true> => {
    await createTopics(options);
    await bus.connect();
    return true;
  };
  return { bus, server: { name: 'kafka', check: () => bus.check(), opens, close: () => bus.close() } };
}
