import type { Sized } from '../document/bounded.ts';
import { createDocuments } from '../document/documents.ts';
import { partiesOf } from '../document/domain/parties.ts';
import { processOf } from '../document/process/process.ts';
import { invoiceDecider } from './domain/decide.ts';
import { type InvoiceEvent, invoiceEvents } from './domain/events.ts';
import { isNumbered, type InvoiceState } from './domain/state.ts';
import { invoiceResource } from './resource.ts';

export const invoices = createDocuments({
  name: 'invoice',
  eventName: 'Invoice',
  prefix: 'inv',
  decider: invoiceDecider,
  events: invoiceEvents,
  sizes: { sizedAfter, shown: (state) => (state === null ? undefined : invoiceResource(state, 1)) },
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

function sizedAfter(event: InvoiceEvent, state: InvoiceState | null): Sized | undefined {
  if (state === null) return undefined;
  const parties = isNumbered(state) ? 'in' : null;
  const changeable = state.status === 'draft' || state.status === 'failed' ? 'content' : 'metadata';
  const resource = () => invoiceResource(state, 1);
  const sized: Sized = { content: state.content, resource, parties, again: null, written: null, changeable, ends: false };
  switch (event.type) {
    case 'InvoiceDrafted':
      return { ...sized, written: 'items' };
    case 'InvoiceRevised': {
      const [changed] = Object.keys(event.data.changes);
      if (changed === undefined) return undefined; // before a submission, which is checked
      return { ...sized, written: event.data.changes.items ? 'items' : changed };
    }
    case 'InvoiceSubmissionRequested':
      return { ...sized, parties: partiesOf(event.data), again: 'parties', changeable: 'content' };
    case 'InvoiceResubmitted':
      return { ...sized, again: 'parties', changeable: 'content' };
    case 'InvoiceVoidRequested':
      return { ...sized, again: 'issuer', ends: true };
    case 'InvoiceVoided':
      return { ...sized, changeable: 'content', ends: true }; // by a caller: it was a draft or rejected
    default:
      return undefined;
  }
}
