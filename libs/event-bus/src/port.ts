import type { PublicEvent } from '@svc/contracts/events/envelope';
import type { LetterBook } from './dead-letters/letter-book.ts';

/** Public events from the service that owns them to everybody else. Consuming: Nest's `@EventPattern({ group, topic })` on a method that takes a batch. */
export interface EventBus {
  /**
   * Resolves when the events are safe: the broker has them on all replicas or (embedded) every group has handled them or put them
   * on its dead letters. The events of one subject keep their order. An event that the bus will never take, since it is larger than
   * `MAX_EVENT_BYTES` or the broker refuses it for good, goes to the dead letters of its publisher, and all others go on, later ones of its
   * subject too: each carries the whole resource. Rejects when it is not certain that they are safe: publish the same again.
   */
  publish(topic: string, events: PublicEvent[]): Promise<void>;
  /** The dead letters of this process's groups and publishers. */
  readonly letters: LetterBook;
}
