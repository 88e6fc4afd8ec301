import { processOf } from '../document/process/process.ts';
import type { Settles } from './domain/events.ts';
import { receipts } from './receipts.ts';
import { endReversal, reverseReceipt } from './void.ts';

const corrects = (data: Settles) => data.corrects !== undefined;
const isReversed = (data: Settles) => data.reversal !== undefined;
const asked = { until: ['ReceiptIssued', 'ReceiptReversalIssued', 'ReceiptRefused'], run: receipts.number };

export const receiptProcess = processOf('receipt', [
  { after: 'ReceiptRequested', ...asked },
  { after: 'ReceiptReversalDrafted', ...asked },
  // The corrective is a receipt of its own, whose events say how far it is. A void that was requested before the registration goes on after it.
  { after: 'ReceiptReversalRequested', until: ['ReceiptVoided', 'ReceiptReversalRefused'], run: reverseReceipt },
  { after: 'ReceiptRegistered', when: isReversed, until: [], run: reverseReceipt },
  ...['ReceiptRegistered', 'ReceiptRejected', 'ReceiptRefused'].map((after) => ({ after, when: corrects, until: [], run: endReversal })),
]);
