import type { PublicEvent } from '@svc/contracts/events/envelope';

/** Public events from the service that owns them to everybody else. Consuming: Nest's `@EventPattern({ group, topic })` on a method that takes a batch. */
export interface EventBus {
  /**
   * Resolves when the events are safe: the broker has them on all replicas or (embedded) every group has handled them or put them
   * on its dead letters. The events of one subject keep their order. Rejects when that is not certain: publish the same again.
   */
  publish(topic: string, events: PublicEvent[]): Promise<void>;
}
