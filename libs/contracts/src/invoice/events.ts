import { topics } from '../events/envelope.ts';
import { publicEvent } from '../events/public-event.ts';
import { InvoiceResource } from './resource.ts';

const of = <Type extends string>(type: Type) => publicEvent({ type, topic: topics.invoice, data: InvoiceResource });

/** The data of each event is the invoice after it. */
export const InvoiceCreatedV1 = of('invoicing.invoice-created.v1');
export const InvoiceUpdatedV1 = of('invoicing.invoice-updated.v1');
export const InvoiceSubmittedV1 = of('invoicing.invoice-submitted.v1');
export const InvoiceFailedV1 = of('invoicing.invoice-failed.v1');
export const InvoiceVoidedV1 = of('invoicing.invoice-voided.v1');
