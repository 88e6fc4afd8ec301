import { topics } from '@svc/contracts/events/envelope';
import { SettingChangedV1 } from '@svc/contracts/audit/setting-changed';
import type { Publication, Publisher } from '@svc/event-bus/publishing/publisher';
import { type Recorded, versionAt } from '@svc/kernel';
import { changeOfEvent } from '@svc/service';
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
  topics: [topics.customer, topics.setting],
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
    const publications: Publication[] = types.map((publicType) => ({ topic: topics.customer, type: publicType, data }));
    return type === 'CustomerErased' ? [...publications, audited(recorded, data.id)] : publications;
  },
};

/** Who erased a customer, which is named by its id alone. */
const audited = (recorded: Recorded, id: string): Publication => ({
  ...{ topic: topics.setting, type: SettingChangedV1.type },
  data: changeOfEvent(recorded, { type: 'customer', verb: 'erased', target: { id, name: null }, changes: {} }, 'invoicing'),
});
