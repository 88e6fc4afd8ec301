import { createDocuments } from '../document/documents.ts';
import { documentProjection } from '../document/list.ts';
import { processOf } from '../document/process/process.ts';
import { documentPublisher } from '../document/publish.ts';
import { balance, publicStatus } from './domain/actions.ts';
import { invoiceDecider } from './domain/decide.ts';
import { type InvoiceEvent, invoiceEvents } from './domain/events.ts';
import { isNumbered, type InvoiceState } from './domain/state.ts';
import { invoiceResource } from './resource.ts';

export const invoices = createDocuments({
  name: 'invoice',
  eventName: 'Invoice',
  decider: invoiceDecider,
  events: invoiceEvents,
  written,
  changeable: ({ status }) => (status === 'draft' || status === 'failed' ? 'content' : 'metadata'),
  isShown: (state): state is InvoiceState => state !== null,
  eventsBefore: 0,
  resource: invoiceResource,
  history: {
    InvoiceDrafted: 'created',
    InvoiceRevised: 'updated',
    InvoiceSubmissionRequested: 'submission_requested',
    InvoiceSubmissionRefused: 'updated',
    InvoiceNumbered: 'numbered',
    InvoiceResubmitted: 'submission_requested',
    InvoicePaymentRecorded: 'payment_recorded',
    InvoicePaymentReversed: 'payment_reversed',
  },
  numberRequested: 'InvoiceSubmissionRequested',
  instead: 'Draft another invoice.',
});

export const invoiceProcess = processOf('invoice', [
  { after: 'InvoiceSubmissionRequested', until: ['InvoiceNumbered', 'InvoiceSubmissionRefused'], run: invoices.number },
]);

export const invoicesProjection = documentProjection(invoices.definition, {
  name: 'invoices_v4',
  filters: ['payment_status', 'series', 'currency', 'type'],
  own(state) {
    const { type, customer_id, corrects, issue_date } = state.content;
    return {
      status: publicStatus(state),
      type,
      customer_id,
      number: isNumbered(state) ? state.issue.number : null,
      payment_status: balance(state).status,
      corrects,
      issue_date,
    };
  },
});

export const invoicePublisher = documentPublisher(invoices.definition, {
  updated: 'invoicing.invoice-updated.v1',
  types: {
    InvoiceDrafted: 'invoicing.invoice-created.v1',
    InvoiceRegistered: 'invoicing.invoice-submitted.v1',
    InvoiceRejected: 'invoicing.invoice-failed.v1',
    InvoiceVoided: 'invoicing.invoice-voided.v1',
  },
  hidden: ['InvoiceSubmissionRequested', 'InvoiceSubmissionRefused'],
  registers: ['InvoiceNumbered', 'InvoiceResubmitted'],
});

/** A change of items is blamed on them, else the first field that changed. */
function written(event: InvoiceEvent): string | null {
  if (event.type === 'InvoiceDrafted') return 'items';
  if (event.type !== 'InvoiceRevised') return null;
  return event.data.changes.items ? 'items' : (Object.keys(event.data.changes)[0] ?? null);
}
