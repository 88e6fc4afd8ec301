import type { Delivery } from '@svc/testkit';
import type { Documents } from './documents.ts';

const hidden = new Set([
  'InvoiceSubmissionRequested',
  'InvoiceSubmissionRefused',
  'InvoiceResubmissionRequested',
  'InvoiceResubmissionRefused',
  'InvoiceCorrectionReserved',
  'InvoiceCorrectionRefused',
]);
const sentOfReceipts = new Set(['ReceiptIssued', 'ReceiptVoided']);

/** Whether subscribers receive a stored event: of invoices and customers all but steps that the next event shows, of receipts issuing and voiding. */
export function isSent({ stream, type }: { stream: string; type: string }): boolean {
  if (stream.startsWith('receipt-')) return sentOfReceipts.has(type);
  return (stream.startsWith('invoice-') || stream.startsWith('customer-')) && !hidden.has(type);
}

/** Checks that each document has one event of each step that it has been through, and at least one delivery of it. */
export function expectWebhooks(deliveries: readonly Delivery[], made: Documents): void {
  const isVoided = ({ status }: { status: string }): boolean => status === 'voided';
  const invoices = made['/invoices'];
  const numbered = invoices.filter(({ number }) => number !== null);
  const once = {
    'invoice.created': invoices,
    'invoice.submitted': numbered,
    'invoice.voided': invoices.filter(isVoided),
    'receipt.created': made['/receipts'],
    'receipt.voided': made['/receipts'].filter(isVoided),
  };
  const events = [...new Map(deliveries.map(({ body }) => [body.id, body])).values()];
  const subjects = (type: string) => events.filter((event) => event.type === type).map(({ data }) => data.id);
  for (const [type, documents] of Object.entries(once))
    expect([type, subjects(type).sort()]).toEqual([type, documents.map(({ id }) => id).sort()]);
  expect([...new Set(subjects('invoice.updated'))].sort()).toEqual(numbered.map(({ id }) => id).sort());
}

/** Checks that each event came with the same bytes every time. */
export function expectEqualBytes(deliveries: readonly Delivery[]): void {
  const changed = [...Map.groupBy(deliveries, ({ body }) => body.id)].filter(
    ([, all]) => new Set(all.map(({ raw }) => raw.toString('base64'))).size > 1,
  );
  expect(changed.map(([id]) => id)).toEqual([]);
}
