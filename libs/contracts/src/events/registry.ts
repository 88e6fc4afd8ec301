import * as customer from '../customer/events.ts';
import * as invoice from '../invoice/events.ts';
import * as receipt from '../receipt/events.ts';
import * as fiscal from '../registration/outcome.ts';
import * as registration from '../registration/requested.ts';
import type { PublicEventType } from './public-event.ts';

const types: PublicEventType[] = [
  invoice.InvoiceCreatedV1,
  invoice.InvoiceUpdatedV1,
  invoice.InvoiceSubmittedV1,
  invoice.InvoiceFailedV1,
  invoice.InvoiceVoidedV1,
  receipt.ReceiptCreatedV1,
  receipt.ReceiptUpdatedV1,
  receipt.ReceiptVoidedV1,
  customer.CustomerCreatedV1,
  customer.CustomerUpdatedV1,
  customer.CustomerDeletedV1,
  customer.CustomerErasedV1,
  registration.RegistrationRequestedV1,
  registration.CancellationRequestedV1,
  fiscal.DocumentRegisteredV1,
  fiscal.DocumentRejectedV1,
  fiscal.DocumentDelayedV1,
  fiscal.DocumentCancelledV1,
  fiscal.CancellationRefusedV1,
];

/** Every public event by its type. */
export const publicEvents: ReadonlyMap<string, PublicEventType> = new Map(types.map((event) => [event.type, event]));
