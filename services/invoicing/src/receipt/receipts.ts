import { createDocuments } from '../document/documents.ts';
import { documentProjection } from '../document/list.ts';
import { processOf } from '../document/process/process.ts';
import { documentPublisher } from '../document/publish.ts';
import { receiptDecider } from './domain/decide.ts';
import { receiptEvents } from './domain/events.ts';
import { isNumbered } from './domain/state.ts';
import { receiptResource } from './resource.ts';

export const receipts = createDocuments({
  name: 'receipt',
  eventName: 'Receipt',
  decider: receiptDecider,
  events: receiptEvents,
  written: ({ type }) => (type === 'ReceiptRequested' ? 'items' : null),
  changeable: () => 'nothing',
  isShown: isNumbered,
  // The request for its number: the receipt in the answer to POST has version 1.
  eventsBefore: 1,
  resource: receiptResource,
  history: { ReceiptIssued: 'created', ReceiptResubmitted: 'submission_requested' },
  numberRequested: 'ReceiptRequested',
  instead: 'Issue another receipt.',
});

export const receiptProcess = processOf('receipt', [
  { after: 'ReceiptRequested', until: ['ReceiptIssued', 'ReceiptRefused'], run: receipts.number },
]);

/** A receipt gets its row when it has its number. Receipts are of one type and correct nothing: both filters are taken, and find what they say. */
export const receiptsProjection = documentProjection(receipts.definition, {
  name: 'receipts_v2',
  filters: ['series', 'currency', 'type'],
  own({ status, content, issue }) {
    const { number, issue_date } = issue;
    return { status, type: 'standard', customer_id: content.customer_id, number, corrects: null, issue_date };
  },
});

export const receiptPublisher = documentPublisher(receipts.definition, {
  updated: 'invoicing.receipt-updated.v1',
  types: { ReceiptIssued: 'invoicing.receipt-created.v1', ReceiptVoided: 'invoicing.receipt-voided.v1' },
  hidden: ['ReceiptRequested', 'ReceiptRefused'],
  registers: ['ReceiptIssued', 'ReceiptResubmitted'],
});
