import { topics } from '@svc/contracts/events/envelope';
import { InvoiceCreatedV1, InvoiceFailedV1, InvoiceSubmittedV1, InvoiceUpdatedV1, InvoiceVoidedV1 } from '@svc/contracts/invoice/events';
import { documentPublisher } from '../document/publish.ts';
import { invoices } from './invoices.ts';

/** A requested or refused number shows with the next event. */
export const invoicePublisher = documentPublisher(invoices.definition, {
  topic: topics.invoice,
  types: {
    InvoiceDrafted: InvoiceCreatedV1.type,
    InvoiceRevised: InvoiceUpdatedV1.type,
    InvoiceNumbered: InvoiceUpdatedV1.type,
    InvoiceResubmitted: InvoiceUpdatedV1.type,
    InvoiceRegistered: InvoiceSubmittedV1.type,
    InvoiceRejected: InvoiceFailedV1.type,
    InvoiceDelayed: InvoiceUpdatedV1.type,
    InvoiceVoidRequested: InvoiceUpdatedV1.type,
    InvoiceVoided: InvoiceVoidedV1.type,
    InvoiceVoidRefused: InvoiceUpdatedV1.type,
  },
  registers: ['InvoiceNumbered', 'InvoiceResubmitted'],
});
