import type { Sized } from '../document/bounded.ts';
import { createDocuments } from '../document/documents.ts';
import { partiesOf } from '../document/domain/parties.ts';
import { processOf } from '../document/process/process.ts';
import { receiptDecider } from './domain/decide.ts';
import { type ReceiptEvent, receiptEvents } from './domain/events.ts';
import {
  isNumbered,
  type BeingNumbered,
  type NumberedReceipt,
  type ReceiptContent,
  type ReceiptFacts,
  type ReceiptState,
} from './domain/state.ts';
import { receiptResource } from './resource.ts';

export const receipts = createDocuments({
  name: 'receipt',
  eventName: 'Receipt',
  prefix: 'rcp',
  decider: receiptDecider,
  events: receiptEvents,
  sizes: { sizedAfter, shown: () => undefined },
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

/** Nothing of a receipt is ever changed. */
function sizedAfter(event: ReceiptEvent, state: ReceiptState | null): Sized | undefined {
  const sized = (content: ReceiptContent, numbered: () => NumberedReceipt): Sized => ({
    ...{ content, parties: 'in', again: 'parties', written: null, changeable: 'nothing', ends: false },
    resource: () => receiptResource(numbered(), 1),
  });
  if (event.type === 'ReceiptRequested' && state?.status === 'being_numbered')
    return { ...sized(state.content, () => onceNumbered(state, partiesOf(event.data))), written: 'items', changeable: 'content' };
  if (!isNumbered(state)) return undefined;
  switch (event.type) {
    case 'ReceiptResubmitted':
      return sized(state.content, () => state);
    case 'ReceiptVoidRequested':
      return { ...sized(state.content, () => state), again: 'issuer', ends: true };
    case 'ReceiptVoided':
      return { ...sized(state.content, () => state), again: null, ends: true };
    default:
      return undefined;
  }
}

/** With a number as long as any. */
function onceNumbered(state: BeingNumbered, parties: ReceiptFacts['parties']): NumberedReceipt {
  const at = state.created_at;
  const taken = { document: state.id, seq: Number.MAX_SAFE_INTEGER, number: '9'.repeat(255), issued_at: at, issue_date: at.slice(0, 10) };
  const events = receiptDecider.decide({ type: 'number', at, request: 1, taken, parties }, state);
  return events.reduce<ReceiptState | null>(receiptDecider.evolve, state) as NumberedReceipt;
}
