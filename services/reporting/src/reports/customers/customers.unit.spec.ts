import { countedOn } from '../../facts/counted.ts';
import { customerId, sampleFact } from '../../testing/sample-documents.ts';
import { reportOf } from '../testing/report-of.ts';
import { customers } from './customers.ts';

test('reports what each customer bought, paid and owes; a credit note lowers the due amount', () => {
  const a = customerId(1);
  const b = customerId(2);
  const counted = [
    sampleFact(1, { customer_id: a }),
    sampleFact(2, { customer_id: a, total: '36', due: '36', is_credit_note: true }),
    sampleFact(3, { customer_id: b, total: '12', paid: '2', due: '10' }),
    sampleFact(4, { customer_id: b, currency: 'USD', total: '240', paid: '40', due: '200' }),
    sampleFact(5, { customer_id: null, kind: 'receipt', total: '5', paid: '5', due: '0' }),
  ].map((fact) => countedOn('issued_on', fact));
  const row = (customer_id: string | null, currency: string, documents: number, total: string, paid: string, due: string) => ({
    customer_id,
    currency,
    documents,
    total,
    paid,
    due,
  });
  expect(reportOf(customers, counted)).toEqual({
    rows: [
      row(a, 'EUR', 2, '84', '0', '84'),
      row(b, 'EUR', 1, '12', '2', '10'),
      row(b, 'USD', 1, '240', '40', '200'),
      row(null, 'EUR', 1, '5', '5', '0'),
    ],
    totals: [
      { currency: 'EUR', documents: 4, total: '101', paid: '7', due: '94' },
      { currency: 'USD', documents: 1, total: '240', paid: '40', due: '200' },
    ],
  });
});
