import { createDocuments } from '../document/documents.ts';
import { processOf } from '../document/process/process.ts';
import { invoiceDecider } from './domain/decide.ts';
import { type InvoiceEvent, invoiceEvents } from './domain/events.ts';
import type { InvoiceState } from './domain/state.ts';
import { invoiceResource } from './resource.ts';

export const invoices = createDocuments({
  name: 'invoice',
  eventName: 'Invoice',
  prefix: 'inv',
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
  },
  numberRequested: 'InvoiceSubmissionRequested',
  instead: 'Draft another invoice.',
});

export const invoiceProcess = processOf('invoice', [
  { after: 'InvoiceSubmissionRequested', until: ['InvoiceNumbered', 'InvoiceSubmissionRefused'], run: invoices.number },
]);

/** A change of items is blamed on them, else the first field that changed. */
function written(event: InvoiceEvent): string | null {
  if (event.type === 'InvoiceDrafted') return 'items';
  if (event.type !== 'InvoiceRevised') return null;
  return event.data.changes.items ? 'items' : (Object.keys(event.data.changes)[0] ?? null);
}
