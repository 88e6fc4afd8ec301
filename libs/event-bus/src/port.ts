import type { PublicEvent } from '@svc/contracts/events/envelope';
import type { DeadLetterQueues } from './dead-letters/queues.ts';
import type { Subscription as StoreSubscription } from '@svc/event-store';
import type { Ends } from './position.ts';
import type { ReadUntil } from './publishing/mark.ts';
import type { Source } from './publishing/start-relay.ts';

/** Public events from the service that owns them to the others. Consuming: Nest's `@EventPattern({ group, topic })` on a method that takes a batch. */
export interface EventBus {
  /**
   * Resolves when the events are safe: the broker has them on all replicas or (embedded) every group has handled them or stored them as dead
   * dead letters. The events of one subject keep their order. An event that the bus permanently rejects, because it is larger than
   * `MAX_EVENT_BYTES` or by the broker's decision, becomes a dead letter of its publisher, and all others are published, also later ones of
   * its subject: each carries the complete resource. Rejects when it is not certain that they are safe: publish the same again.
   * `positions`: of the events in the publisher's store; a bus with a log of its own ignores them.
   */
  publish(topic: string, events: PublicEvent[], positions?: readonly bigint[]): Promise<void>;
  /** The current end of the topic: events published from now on come after it (`comesAfter`). Rejects when it cannot be read. */
  ends(topic: string): Promise<Ends>;
  /**
   * Publishes what a service stores, from its checkpoint on and in the order of its store, from one replica at a time; what a crash leaves uncertain is
   * published again. A group that is slow or new holds up no other one.
   */
  relay(source: Source): StoreSubscription;
  /**
   * How far a group has read the topics that it consumes. On a bus with a log of its own `stored` is known of a group that consumes its publisher's topic of
   * marks; one without a log waits a second at most for what is being handled.
   */
  readUntil(group: string): Promise<ReadUntil>;
  /** The dead letters of this process's groups and publishers. */
  readonly deadLetters: DeadLetterQueues;
}
