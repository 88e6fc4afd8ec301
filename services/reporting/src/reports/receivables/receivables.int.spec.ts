import { customerId, invoiceId, receiptId } from '../../testing/sample-documents.ts';
import { samplePosting, voidOf } from '../../testing/sample-postings.ts';
import { postingId, type Posting } from '../../postings/posting.ts';
import { reportOf } from '../testing/report-of.ts';
import { receivables } from './receivables.ts';

const invoice = (n: number, due_on: string, payable: string) => samplePosting(n, { figures: { payable, due_on, customer_name: 'Ann' } });
const paid = (of: Posting, line: number, amount: string, day: string, recorded_at = of.recorded_at): Posting => {
  const { figures: _, counted_on: _1, ...rest } = of;
  return { ...rest, _id: postingId(of.document, line), change: 'paid', paid: amount, day, recorded_at };
};
const rowsAt = async (as_of: string, postings: readonly Posting[]) => (await reportOf(receivables, postings, { as_of })).rows;

test('each document is in the bucket of its days late, and buckets sum to the total', async () => {
  const as_of = '2026-05-01';
  const due = ['2026-05-01', '2026-04-30', '2026-04-01', '2026-03-31', '2026-03-02', '2026-03-01', '2026-01-31', '2026-01-30'];
  const postings = due.map((day, n) => invoice(n, day, String(2 ** n)));
  const { rows, cited, totals } = await reportOf(receivables, postings, { as_of });
  const sums = { not_due: 1, d1_30: 6, d31_60: 24, d61_90: 96, over_90: 128, total: 255 };
  expect(rows).toEqual([{ customer_id: customerId(1), customer_name: 'Ann', currency: 'EUR', ...sums }]);
  expect(totals).toEqual([{ currency: 'EUR', ...sums }]);
  expect(cited[0]).toHaveLength(8);
});

test('payments, credit notes and voids count from their day; what is settled is in no row', async () => {
  const one = invoice(1, '2026-02-10', '120');
  const note = samplePosting(2, { issued_on: '2026-01-20', lowers: invoiceId(1), figures: { payable: '30', sign: -1 } });
  const postings = [one, paid(one, 4, '50', '2026-01-15'), note, voidOf(note, '2026-01-25'), paid(one, 5, '70', '2026-01-31')];
  const totals = await Promise.all(
    ['2026-01-09', '2026-01-10', '2026-01-15', '2026-01-20', '2026-01-25', '2026-01-31'].map((day) => rowsAt(day, postings)),
  );
  expect(totals.map(([row]) => row?.['total'])).toEqual([undefined, 120, 70, 40, 70, undefined]);
  expect((await rowsAt('2026-03-01', [one, voidOf(one, '2026-02-01')])).length).toBe(0);
});

test('what was paid too much is owed back; receipts are never due', async () => {
  const one = invoice(1, '2026-02-10', '120');
  const note = samplePosting(2, { issued_on: '2026-01-20', lowers: invoiceId(1), figures: { payable: '30', sign: -1 } });
  const receipt = samplePosting(3, { document: receiptId(3), kind: 'receipt' });
  expect(await rowsAt('2026-03-01', [one, paid(one, 4, '120', '2026-01-15'), note, receipt])).toMatchObject([{ d1_30: -30, total: -30 }]);
});

test('what was recorded after known_at is not known, however it is dated', async () => {
  const one = invoice(1, '2026-02-10', '120');
  const late = paid(one, 4, '50', '2026-01-15', '2026-02-01T00:00:00.000Z');
  const at = (known_at: string | null) => reportOf(receivables, [one, late], { as_of: '2026-01-31', known_at });
  expect((await at('2026-01-31T23:59:59.999Z')).totals).toMatchObject([{ total: 120 }]);
  expect((await at('2026-02-01T00:00:00.000Z')).totals).toMatchObject([{ total: 70 }]);
});

test('credit notes of hundreds of invoices are found', async () => {
  const invoices = Array.from({ length: 450 }, (_, n) => samplePosting(n));
  const notes = invoices.map((one, n) => samplePosting(10_000 + n, { lowers: one.document, figures: { payable: '20', sign: -1 } }));
  expect((await reportOf(receivables, [...invoices, ...notes])).totals).toMatchObject([{ total: 45_000 }]);
});
