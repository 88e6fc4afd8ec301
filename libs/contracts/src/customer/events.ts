import { topics } from '../events/envelope.ts';
import { publicEvent } from '../events/public-event.ts';
import { CustomerResource } from './resource.ts';

const of = <Type extends string>(type: Type) => publicEvent({ type, topic: topics.customer, data: CustomerResource });

export const CustomerCreatedV1 = of('invoicing.customer-created.v1');
export const CustomerUpdatedV1 = of('invoicing.customer-updated.v1');
export const CustomerDeletedV1 = of('invoicing.customer-deleted.v1');
/** Consumers must delete their copies of the customer's personal data. */
export const CustomerErasedV1 = of('invoicing.customer-erased.v1');
