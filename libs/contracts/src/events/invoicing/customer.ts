import { CustomerResource } from '../../http/resources/customer.ts';
import { topics } from '../envelope.ts';
import { publicEvent } from '../public-event.ts';

const of = <Type extends string>(type: Type) => publicEvent({ type, source: 'invoicing', topic: topics.customer, data: CustomerResource });

export const CustomerCreatedV1 = of('invoicing.customer-created.v1');
export const CustomerUpdatedV1 = of('invoicing.customer-updated.v1');
export const CustomerDeletedV1 = of('invoicing.customer-deleted.v1');
/** Every copy of the customer's personal data has to be blanked. */
export const CustomerErasedV1 = of('invoicing.customer-erased.v1');
