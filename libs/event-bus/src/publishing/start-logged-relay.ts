import type { Topic } from '@svc/contracts/events/envelope';
import type { Subscription } from '@svc/event-store';
import type { DeadLetterQueues } from '../dead-letters/queues.ts';
import type { Mark } from './mark.ts';
import type { PublishTo } from './publication.ts';
import { startRelayWithHistory } from './start-history.ts';
import { startMarks } from './start-marks.ts';
import { startRelay, type Source } from './start-relay.ts';

/** A bus with a log of its own. */
interface LoggedBus {
  publish: PublishTo;
  /** Publishes a mark on the topic of marks. */
  mark(topic: Topic, mark: Mark): Promise<void>;
  readonly deadLetters: DeadLetterQueues;
}

/** The relay to a bus with a log of its own: with the history before it and with marks, where its source has them. */
export function startLoggedRelay(source: Source, bus: LoggedBus): Subscription {
  const relay = source.history ? startRelayWithHistory(source, bus) : { ...startRelay(source, bus), isWhole: async () => true };
  const { marks: topic } = source;
  if (!topic) return relay;
  const marks = startMarks({ ...bus, source, relay, publish: (mark) => bus.mark(topic, mark) });
  return { ...relay, stop: async () => void (await Promise.all([marks.stop(), relay.stop()])) };
}
