import { createDocuments } from '../document/documents.ts';
import { documentProjection, numberFields } from '../document/list.ts';
import { deadlineOf } from '../document/domain/next-operation.ts';
import { documentPublisher } from '../document/publish.ts';
import { receiptDecider } from './domain/decide.ts';
import { receiptEvents } from './domain/events.ts';
import { isNumbered } from './domain/state.ts';
import { receiptResource, typeOf } from './resource.ts';

export const receipts = createDocuments({
  name: 'receipt',
  eventName: 'Receipt',
  decider: receiptDecider,
  events: receiptEvents,
  written: ({ type }) => (type === 'ReceiptRequested' ? 'items' : null),
  isShown: isNumbered,
  // The request for its number: the receipt in the answer to POST has version 1.
  eventsBefore: 1,
  resource: receiptResource,
  hidden: ['ReceiptRequested', 'ReceiptReversalDrafted', 'ReceiptRefused'],
  history: { ReceiptIssued: 'created', ReceiptReversalIssued: 'created', ReceiptResubmitted: 'submission_requested' },
  numbered: ['ReceiptIssued', 'ReceiptReversalIssued'],
  numberRequested: ['ReceiptRequested', 'ReceiptReversalDrafted'],
  reversalSeries: 'receipt',
  instead: 'Issue another receipt.',
});

/** A receipt gets its row when it has its number. */
export const receiptsProjection = documentProjection(receipts.definition, {
  name: 'receipts_v9',
  filters: ['fiscal_status', 'fiscal_deadline', 'series', 'currency', 'type'],
  // until 0.3: the moment of the number since 0.2; the others are there since then
  newFields: ['created_at', 'number_key', 'fiscal_status', 'fiscal_deadline'],
  own(state) {
    const { status, content, issue, fiscal } = state;
    return {
      status,
      ...typeOf(content),
      customer_id: content.customer_id,
      ...numberFields(content, issue),
      fiscal_status: fiscal.status,
      fiscal_deadline: deadlineOf(state) ?? null,
      issue_date: issue.issue_date,
    };
  },
});

export const receiptPublisher = documentPublisher(receipts.definition, {
  updated: 'invoicing.receipt-updated.v1',
  types: { ReceiptIssued: 'invoicing.receipt-created.v1', ReceiptVoided: 'invoicing.receipt-voided.v1' },
  registers: ['ReceiptIssued', 'ReceiptReversalIssued', 'ReceiptResubmitted'],
});
