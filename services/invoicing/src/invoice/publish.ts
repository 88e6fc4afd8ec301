import { topics } from '@svc/contracts/events/envelope';
import { InvoiceCreatedV1, InvoiceFailedV1, InvoiceSubmittedV1, InvoiceUpdatedV1, InvoiceVoidedV1 } from '@svc/contracts/invoice/events';
import { documentPublisher } from '../document/publish.ts';
import { invoices } from './invoices.ts';

export const invoicePublisher = documentPublisher(invoices.definition, {
  topic: topics.invoice,
  updated: InvoiceUpdatedV1.type,
  types: {
    InvoiceDrafted: InvoiceCreatedV1.type,
    InvoiceRegistered: InvoiceSubmittedV1.type,
    InvoiceRejected: InvoiceFailedV1.type,
    InvoiceVoided: InvoiceVoidedV1.type,
  },
  hidden: ['InvoiceSubmissionRequested', 'InvoiceSubmissionRefused'],
  registers: ['InvoiceNumbered', 'InvoiceResubmitted'],
});
