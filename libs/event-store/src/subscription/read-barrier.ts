import { DomainError, type Clock } from '@svc/kernel';
import { Counter } from 'prom-client';
import type { Subscription } from './subscription.ts';
import type { EventStore } from '../port.ts';

/** Less than the gateway waits for a list, more than twice what another replica takes to run a subscription whose process was killed: its lease of 4 s. */
const MAX_WAIT_MS = 10_000;

const timeouts = new Counter({
  name: 'svc_read_barrier_timeouts_total',
  help: 'Lists that were answered 503, because their projection did not reach the newest event in time.',
});

export interface ReadBarrierOptions {
  store: Pick<EventStore, 'head'>;
  /** The subscription of the projection that is read. */
  subscription: Pick<Subscription, 'waitFor'>;
  clock: Clock;
}

/**
 * Makes the wait of a list before it reads its projection: afterwards the projection holds everything that was stored at the call. The head
 * is read once, so that continuous writes cannot delay a reader forever. Throws `service_unavailable` when that takes longer than 10 s in all.
 */
export function createReadBarrier({ store, subscription, clock }: ReadBarrierOptions): () => Promise<void> {
  return async () => {
    const until = clock.now() + MAX_WAIT_MS;
    const head = await store.head();
    if (await subscription.waitFor(head, Math.max(0, until - clock.now()))) return;
    timeouts.inc();
    throw new DomainError('service_unavailable', 'The list does not show the newest changes yet. Repeat the request.', undefined, 1);
  };
}
