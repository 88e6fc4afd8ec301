import { listedEvery } from './asking.ts';
import { type Document, paymentOf, titleOf } from './documents.ts';

test.each([
  [{ type: 'standard', total: '10', payment_status: 'paid' }, 'paid'],
  [{ type: 'corrective', total: '10', payment_status: 'unpaid' }, 'unpaid'],
  [{ type: 'corrective', total: '-10', payment_status: 'paid' }, null],
  [{ type: 'credit_note', total: '10', payment_status: 'paid' }, null],
])('%j is shown as %s', (invoice, expected) => expect(paymentOf(invoice)).toBe(expected));

test.each([
  [{ number: 'INV-1', type: 'standard', customer_name: 'Lagertha' }, 'INV-1'],
  [{ number: null, type: 'credit_note', customer_name: 'Lagertha' }, 'Credit note, draft · Lagertha'],
  [{ number: null, type: 'standard', customer_name: null }, 'Invoice, draft'],
])('%j is known as %s', (document, title) => expect(titleOf(document as Document)).toBe(title));

test('a list is read again, sooner while one of its documents is on its way', () => {
  const every = (...statuses: string[]) => listedEvery({ state: { data: { data: statuses.map((status) => ({ status }) as Document) } } });
  expect([every(), every('draft', 'submitted'), every('draft', 'submitting')]).toEqual([30_000, 30_000, 5_000]);
});
