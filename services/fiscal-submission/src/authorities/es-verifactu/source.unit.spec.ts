import { esDraft } from './record.ts';
import { at21, esInvoice } from './testing/documents.ts';

/** An event, with its metadata, is at most this long in one append. */
const MOST_BYTES = 1024 * 1024;

test('the draft of a document fits into one append, whatever its texts are', () => {
  const quotes = '"'.repeat(255);
  const lines = Array.from({ length: 100 }, () => ({ ...at21(1, { exemption_reason: quotes }), description: quotes }));
  const request = esInvoice({ lines });
  const many = request.document.items.map((item) => ({ ...item, taxes: Array.from({ length: 10 }, () => item.taxes[0]!) }));
  const line1 = quotes;
  const customer = { ...request.customer, name: quotes, email: quotes, phone: quotes, address: { line1, city: quotes, country: 'ES' } };
  const draft = esDraft({ ...request, document: { ...request.document, items: many }, customer } as typeof request);
  const stored = JSON.stringify({ draft: JSON.stringify(draft) });
  expect(Buffer.byteLength(stored)).toBeLessThan(MOST_BYTES / 4);
  expect(stored).not.toContain('email');
});
