import { DomainError, type Clock } from '@svc/kernel';
import type { Subscription } from './subscription.ts';
import type { EventStore } from '../port.ts';

/** Less than callers wait for an answer, more than a busy machine takes to hand a subscription to another replica in a rolling restart. */
const MAX_WAIT_MS = 5_000;

export interface ReadBarrierOptions {
  store: Pick<EventStore, 'head'>;
  /** Of the projection that is read. */
  subscription: Pick<Subscription, 'waitFor'>;
  clock: Clock;
}

/**
 * Makes what a list awaits before it reads its projection: everything stored when it was asked for stands in the projection then. The head is
 * taken once, so that busy writers cannot starve a reader. Throws `service_unavailable` when that takes longer than 5 s in all.
 */
export function createReadBarrier({ store, subscription, clock }: ReadBarrierOptions): () => Promise<void> {
  return async () => {
    const until = clock.now() + MAX_WAIT_MS;
    const head = await store.head();
    if (await subscription.waitFor(head, Math.max(0, until - clock.now()))) return;
    throw new DomainError('service_unavailable', 'The list does not show the newest changes yet. Repeat the request.', undefined, 1);
  };
}
