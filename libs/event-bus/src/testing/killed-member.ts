import { topics, type PublicEvent } from '@svc/contracts/events/envelope';
import { systemClock } from '@svc/kernel';
import { fullDeadLetters } from './full-dead-letters.ts';
import { KafkaBus } from '../kafka/kafka-bus.ts';

// A process to be killed: joins group `g`, prints each event that it receives, and never finishes handling it.
const logger = { warn: () => undefined, error: () => undefined };
const never = new Promise<never>(() => undefined);
const bus = new KafkaBus({
  brokers: (process.env.KAFKA_BROKERS ?? '').split(','),
  namespace: process.env.NAMESPACE ?? '',
  clientId: 'killed',
  clock: systemClock,
  logger,
  deadLetters: fullDeadLetters,
  crashed: () => process.exit(1),
});
const on = async (events: PublicEvent[]): Promise<never> => {
  console.log(events.map(({ id }) => id).join());
  return never;
};
bus.addHandler({ group: 'g', topic: topics.invoice }, on, true);
bus.listen((error) => {
  if (error) throw error;
});
