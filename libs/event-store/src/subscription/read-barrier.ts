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

/** After so long a list looks whether its rows can be read at all, then after twice as long, and so on. */
const FIRST_LOOK_MS = 100;

export interface ReadBarrierOptions {
  store: Pick<EventStore, 'head'>;
  /** The subscription of the projection that is read. */
  subscription: Pick<Subscription, 'waitFor'>;
  /** A read of the document store that costs little: where it fails, the subscription cannot get on, and the list fails alike. */
  readable: () => Promise<unknown>;
  clock: Clock;
}

/**
 * Makes the wait of a list before it reads its projection: afterwards the projection holds everything that was stored at the call. The head
 * is read once, so that continuous writes cannot delay a reader forever. Throws `service_unavailable` when that takes longer than 10 s in all, and what `readable` throws.
 */
export function createReadBarrier({ store, subscription, readable, clock }: ReadBarrierOptions): () => Promise<void> {
  return async () => {
    const until = clock.now() + MAX_WAIT_MS;
    const head = await store.head();
    for (let look = FIRST_LOOK_MS, left = until - clock.now(); left > 0; look *= 2, left = until - clock.now()) {
      if (await subscription.waitFor(head, Math.min(left, look))) return;
      await readable();
    }
    timeouts.inc();
    throw new DomainError('service_unavailable', 'The list does not show the newest changes yet. Repeat the request.', undefined, 1);
  };
}
