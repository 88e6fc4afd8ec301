import { processOf } from '../document/process/process.ts';
import { resubmitCorrection, settleCorrection, takeInvoiceNumber } from './corrections.ts';
import type { InvoiceEvent, Settles } from './domain/events.ts';

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
  // Once the original knows, nothing is stored in the correction: the job looks once, and finds that it is done.
  ...settling.map((after) => ({ after, when: ({ corrects }: Settles) => corrects !== undefined, until: [], run: settleCorrection })),
]);
