import { createDocuments } from '../document/documents.ts';
import { processOf } from '../document/process/process.ts';
import { receiptDecider } from './domain/decide.ts';
import { receiptEvents } from './domain/events.ts';
import { isNumbered } from './domain/state.ts';
import { receiptResource } from './resource.ts';

export const receipts = createDocuments({
  name: 'receipt',
  eventName: 'Receipt',
  prefix: 'rcp',
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
