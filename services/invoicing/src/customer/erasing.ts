import { startExclusiveSubscription, type SubscriptionContext } from '@svc/event-store';
import { categoryOf, idOf, type Recorded } from '@svc/kernel';
import { subscriptionWork, type BackgroundWork } from '@svc/service';
import type { Customers } from './customers.ts';

/**
 * Destroys the keys of erased customers: of those whose request ended between the event and the key, and after a restore from a backup, which brings
 * keys back, of all.
 */
export const erasingWork = (customers: Pick<Customers, 'destroyKey'>, subscribing: SubscriptionContext): BackgroundWork =>
  subscriptionWork('erasing', () =>
    startExclusiveSubscription({ ...subscribing, name: 'erasing', handle: (events) => destroyKeys(customers, events) }),
  );

async function destroyKeys(customers: Pick<Customers, 'destroyKey'>, events: readonly Recorded[]): Promise<void> {
  for (const { stream, type } of events)
    if (type === 'CustomerErased' && categoryOf(stream) === 'customer') await customers.destroyKey(idOf(stream));
}
