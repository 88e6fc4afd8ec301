import { processOf } from '../document/process/process.ts';
import { resubmitCorrection, settleCorrection, takeInvoiceNumber } from './corrections.ts';
import type { InvoiceEvent, Settles } from './domain/events.ts';
import { reverseInvoice } from './void.ts';

const settling: InvoiceEvent['type'][] = [
  'InvoiceSubmissionRefused',
  'InvoiceResubmissionRefused',
  'InvoiceRegistered',
  'InvoiceRejected',
  'InvoiceVoided',
];

export const invoiceProcess = processOf('invoice', [
  { after: 'InvoiceSubmissionRequested', until: ['InvoiceNumbered', 'InvoiceSubmissionRefused'], run: takeInvoiceNumber },
  { after: 'InvoiceResubmissionRequested', until: ['InvoiceResubmitted', 'InvoiceResubmissionRefused'], run: resubmitCorrection },
  // The corrective is a document of its own, whose events say how far it is.
  { after: 'InvoiceReversalRequested', until: ['InvoiceVoided', 'InvoiceReversalRefused'], run: reverseInvoice },
  // Once the original knows, nothing is stored in the correction: the job looks once, and finds that it is done.
  ...settling.map((after) => ({ after, when: ({ corrects }: Settles) => corrects !== undefined, until: [], run: settleCorrection })),
]);
