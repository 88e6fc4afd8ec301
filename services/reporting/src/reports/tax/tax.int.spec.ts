import { customerId } from '../../testing/sample-documents.ts';
import { samplePosting, voidOf } from '../../testing/sample-postings.ts';
import { reportOf } from '../testing/report-of.ts';
import { tax } from './tax.ts';

const vat = (rate: string, base: string, amount: string) => ({
  ...{ category: 'VAT', rate, code: 'S' as const, base, tax: amount, retained: '0' },
  issuer: { base, tax: amount },
});
const irpf = { ...vat('15', '100', '0'), category: 'IRPF', retained: '15' };
const dollars = { ...vat('20', '200', '40'), issuer: undefined };

const row = (category: string, rate: number, currency: string, documents: number, [base, amount]: [number, number], retained = 0) => ({
  ...{ category, code: 'S', rate, currency, documents, base, tax: amount, retained },
  ...(currency === 'USD' ? { issuer_base: null, issuer_tax: null } : { issuer_base: base, issuer_tax: amount }),
});

test('has a row per category, code, rate and currency, ordered by the value of the rate; cites base and tax', async () => {
  const postings = [
    samplePosting(1, { figures: { taxes: [vat('20', '100', '20'), irpf] } }),
    samplePosting(2, { figures: { taxes: [vat('20', '30', '6')], sign: -1 } }),
    samplePosting(3, { figures: { taxes: [vat('5.5', '10', '0.55'), vat('20', '1', '0.2')] } }),
    samplePosting(4, { figures: { taxes: [dollars] }, currency: 'USD' }),
    samplePosting(5, { figures: { taxes: [] }, currency: 'GBP' }), // Not subject to tax.
  ];
  const { rows, cited, totals } = await reportOf(tax, postings);
  expect(rows).toEqual([
    row('IRPF', 15, 'EUR', 1, [100, 0], 15),
    row('VAT', 5.5, 'EUR', 1, [10, 0.55]),
    row('VAT', 20, 'EUR', 3, [71, 14.2]),
    row('VAT', 20, 'USD', 1, [200, 40]),
  ]);
  expect(totals).toEqual([
    { currency: 'EUR', documents: 3, base: 81, tax: 14.75, retained: 15, issuer_base: 81, issuer_tax: 14.75 },
    { currency: 'USD', documents: 1, base: 200, tax: 40, retained: 0, issuer_base: null, issuer_tax: null },
  ]);
  expect(cited[0]).toEqual([{ id: postings[0]?.document, number: 'INV-2026-1', amount: 100, tax: 15, issuer_base: 100, issuer_tax: 0 }]);
  expect(cited[3]?.[0]).not.toHaveProperty('issuer_tax');
  expect(cited[2]?.map(({ amount, tax: of }) => [amount, of])).toEqual([
    [100, 20],
    [-30, -6],
    [1, 0.2],
  ]);
});

test('a total has the base of a retained tax once, on a page without its row and by customer too', async () => {
  const postings = [samplePosting(1, { figures: { taxes: [vat('20', '100', '20'), irpf] } }), samplePosting(2)];
  const base = [{ base: 200, issuer_base: 200, retained: 15 }];
  expect((await reportOf(tax, postings, { page: { skip: 1, limit: 1 } })).totals).toMatchObject(base);
  expect((await reportOf(tax, postings, { grouping: 'customer' })).totals).toMatchObject(base);
});

test('subtracts the tax of a void', async () => {
  expect((await reportOf(tax, [voidOf(samplePosting(1), '2026-02-01')])).totals).toEqual([
    { currency: 'EUR', documents: -1, base: -100, tax: -20, retained: 0, issuer_base: -100, issuer_tax: -20 },
  ]);
});

test('amounts in the currencies of two issuers are not added up', async () => {
  const converted = { ...dollars, issuer: { base: '180', tax: '36' } };
  const postings = [
    samplePosting(1, { currency: 'USD', figures: { taxes: [converted] } }),
    samplePosting(2, { currency: 'USD', figures: { taxes: [converted], issuer_currency: 'ALL' } }),
  ];
  expect((await reportOf(tax, postings.slice(0, 1))).rows).toMatchObject([{ base: 200, issuer_base: 180, issuer_tax: 36 }]);
  expect((await reportOf(tax, postings)).rows).toMatchObject([{ base: 400, issuer_base: null, issuer_tax: null }]);
});

test('by customer: with name and tax id as on the last document', async () => {
  const figures = { taxes: [vat('0', '100', '0')], customer_name: 'Ann', customer_tax_id: 'FR1' };
  const postings = [
    samplePosting(1, { figures }),
    samplePosting(2, { figures: { ...figures, customer_name: 'Ann B.', customer_tax_id: 'FR2' } }),
    samplePosting(3, { customer_id: customerId(2), figures }),
  ];
  expect((await reportOf(tax, postings, { grouping: 'customer' })).rows).toMatchObject([
    { customer_id: customerId(1), customer_name: 'Ann B.', customer_tax_id: 'FR2', base: 200, documents: 2 },
    { customer_id: customerId(2), customer_name: 'Ann', customer_tax_id: 'FR1', base: 100, documents: 1 },
  ]);
});
