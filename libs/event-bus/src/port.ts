import type { PublicEvent } from '@svc/contracts/events/envelope';
import type { LetterBook } from './dead-letters/letter-book.ts';
import type { Ends } from './position.ts';

/** Public events from the service that owns them to everybody else. Consuming: Nest's `@EventPattern({ group, topic })` on a method that takes a batch. */
export interface EventBus {
  /**
   * Resolves when the events are safe: the broker has them on all replicas or (embedded) every group has handled them or put them
   * on its dead letters. The events of one subject keep their order. An event that the bus will never take, since it is larger than
   * `MAX_EVENT_BYTES` or the broker refuses it for good, goes to the dead letters of its publisher, and all others go on, later ones of its
   * subject too: each carries the whole resource. Rejects when it is not certain that they are safe: publish the same again.
   * `positions`: where the publisher's store has each of them; a bus with a log of its own goes by that instead.
   */
  publish(topic: string, events: PublicEvent[], positions?: readonly bigint[]): Promise<void>;
  /** Where the topic ends now: what is published from now on comes after it (`comesAfter`). Rejects when nobody can tell at the time. */
  ends(topic: string): Promise<Ends>;
  /** The dead letters of this process's groups and publishers. */
  readonly letters: LetterBook;
}
