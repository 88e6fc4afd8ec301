import { topics } from '@svc/contracts/events/envelope';
import type { Publisher } from '@svc/event-bus/publishing/publisher';
import { versionAt } from '@svc/kernel';
import { customerEvents } from './customers.ts';
import { isWhole, type CustomerEvent } from './domain/events.ts';
import { evolve } from './domain/evolve.ts';
import type { CustomerState } from './domain/state.ts';
import { customerResource } from './resource.ts';

const publicTypes: Record<CustomerEvent['type'], string> = {
  CustomerCreated: 'invoicing.customer-created.v1',
  CustomerUpdated: 'invoicing.customer-updated.v1',
  CustomerDeleted: 'invoicing.customer-deleted.v1',
  CustomerErased: 'invoicing.customer-erased.v1',
};

export const customerPublisher: Publisher<CustomerState | null> = {
  category: 'customer',
  topics: [topics.customer],
  initialState: null,
  evolve: (state, recorded) => evolve(state, customerEvents.decode(recorded)),
  isWhole,
  publish(recorded, state) {
    if (state === null) return [];
    const data = customerResource(state, versionAt(recorded.revision));
    const { type } = customerEvents.decode(recorded);
    // An erasure also deletes: a customer that was not deleted before is published as deleted now, without personal data.
    const types =
      type === 'CustomerErased' && state.deleted_at === state.erased_at
        ? [publicTypes.CustomerDeleted, publicTypes[type]]
        : [publicTypes[type]];
    return types.map((publicType) => ({ topic: topics.customer, type: publicType, data }));
  },
};
