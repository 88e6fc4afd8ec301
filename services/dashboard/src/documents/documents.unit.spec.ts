import { paymentOf } from './documents.ts';

test.each([
  [{ type: 'standard', total: '10', payment_status: 'paid' }, 'paid'],
  [{ type: 'corrective', total: '10', payment_status: 'unpaid' }, 'unpaid'],
  [{ type: 'corrective', total: '-10', payment_status: 'paid' }, null],
  [{ type: 'credit_note', total: '10', payment_status: 'paid' }, null],
])('%j is shown as %s', (invoice, expected) => expect(paymentOf(invoice)).toBe(expected));
