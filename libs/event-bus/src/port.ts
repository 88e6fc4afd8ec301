import type { PublicEvent } from '@svc/contracts/events/envelope';
import type { Ends } from './position.ts';

/** Public events from the service that owns them to everybody else. Consuming: Nest's `@EventPattern({ group, topic })` on a method that takes a batch. */
export interface EventBus {
  /**
   * Resolves when the events are safe: the broker has them on all replicas or (embedded) every group has handled them or put them
   * on its dead letters. The events of one subject keep their order. Rejects when that is not certain: publish the same again.
   * `positions`: where the publisher's store has each of them; a bus with a log of its own goes by that instead.
   */
  publish(topic: string, events: PublicEvent[], positions?: readonly bigint[]): Promise<void>;
  /** Where the topic ends now: what is published from now on comes after it (`comesAfter`). Rejects when nobody can tell at the time. */
  ends(topic: string): Promise<Ends>;
}
