import { customerId, invoiceId, receiptId } from '../../testing/sample-documents.ts';
import { samplePosting, voidOf } from '../../testing/sample-postings.ts';
import { postingId, type Posting } from '../../postings/posting.ts';
import { reportOf } from '../testing/report-of.ts';
import { customers } from './customers.ts';

const a = customerId(1);
const b = customerId(2);
const money = (total: string) => ({ subtotal: total, tax_total: '0', total, payable: total });
const payment = (of: Posting, line: number, change: 'paid' | 'reversed', paid: string, day: string): Posting => {
  const { figures: _, counted_on: _1, ...rest } = of;
  return { ...rest, _id: postingId(of.document, line), change, paid, day };
};
const row = (customer_id: string | null, currency: string, documents: number, [total, paid, due]: [number, number, number]) => ({
  ...{ customer_id, currency, documents, total, paid, due },
});

const invoice = samplePosting(1, { customer_id: a, figures: { customer_name: 'Ann' } });
const note = samplePosting(2, {
  customer_id: a,
  issued_on: '2026-01-15',
  lowers: invoiceId(1),
  figures: { ...money('36'), sign: -1, customer_name: 'Ann' },
});
const other = samplePosting(3, { customer_id: b, figures: money('12') });
const dollars = samplePosting(4, { customer_id: b, currency: 'USD', figures: money('240') });
const receipt = samplePosting(5, { document: receiptId(5), customer_id: null, kind: 'receipt', figures: money('5') });
const all = [
  invoice,
  note,
  other,
  dollars,
  receipt,
  payment(other, 4, 'paid', '2', '2026-01-11'),
  payment(dollars, 4, 'paid', '40', '2026-01-20'),
];

test('reports what each customer bought, paid and owes; a credit note lowers what is due of its invoice', async () => {
  expect(await reportOf(customers, all)).toMatchObject({
    rows: [
      { ...row(a, 'EUR', 2, [84, 0, 84]), customer_name: 'Ann' },
      row(b, 'EUR', 1, [12, 2, 10]),
      row(b, 'USD', 1, [240, 40, 200]),
      row(null, 'EUR', 1, [5, 5, 0]),
    ],
    totals: [
      { currency: 'EUR', documents: 4, total: 101, paid: 7, due: 94 },
      { currency: 'USD', documents: 1, total: 240, paid: 40, due: 200 },
    ],
  });
});

test('paid and due are as of a day, of the documents of the period', async () => {
  expect((await reportOf(customers, all, { as_of: '2026-01-14', currency: 'EUR', kind: 'invoices' })).rows).toMatchObject([
    row(a, 'EUR', 1, [120, 0, 120]),
    row(b, 'EUR', 1, [12, 2, 10]),
  ]);
  const january12 = { from: '2026-01-12', to: '2026-01-31', kind: 'invoices' as const };
  expect((await reportOf(customers, all, january12)).rows).toMatchObject([row(a, 'EUR', 1, [-36, 0, 0])]);
});

test('a void takes a document away on its own day, and nothing is due or paid of it', async () => {
  const postings = [invoice, voidOf(invoice, '2026-02-03'), receipt, voidOf(receipt, '2026-02-03')];
  const january = { to: '2026-01-31' };
  expect((await reportOf(customers, postings, { ...january, as_of: '2026-02-02' })).rows).toMatchObject([
    row(a, 'EUR', 1, [120, 0, 120]),
    row(null, 'EUR', 1, [5, 5, 0]),
  ]);
  expect((await reportOf(customers, postings, january)).rows).toMatchObject([
    row(a, 'EUR', 1, [120, 0, 0]),
    row(null, 'EUR', 1, [5, 0, 0]),
  ]);
  expect((await reportOf(customers, postings)).totals).toMatchObject([{ documents: 0, total: 0, paid: 0, due: 0 }]);
});
