import { countedOn } from '../../facts/counted.ts';
import { sampleFact } from '../../testing/sample-documents.ts';
import { reportOf } from '../testing/report-of.ts';
import { tax } from './tax.ts';

const vat = (rate: string, base: string, amount: string) => ({
  category: 'VAT',
  code: 'S' as const,
  rate,
  base,
  tax: amount,
  retained: '0',
});
const irpf = { category: 'IRPF', code: 'S' as const, rate: '15', base: '100', tax: '0', retained: '15' };
const counted = [
  sampleFact(1, { taxes: [vat('20', '100', '20'), irpf] }),
  sampleFact(2, { taxes: [vat('20', '30', '6')], is_credit_note: true }),
  sampleFact(3, { taxes: [vat('5.5', '10', '0.55'), vat('20', '1', '0.2')] }),
  sampleFact(4, { taxes: [vat('20', '200', '40')], currency: 'USD' }),
  sampleFact(5, { taxes: [], currency: 'GBP' }), // Not subject to tax.
].map((fact) => countedOn('issued_on', fact));

test('has a row per category, code, rate and currency, ordered by the value of the rate', () => {
  const row = (category: string, rate: string, currency: string, documents: number, base: string, amount: string, retained = '0') => ({
    category,
    code: 'S',
    rate,
    currency,
    documents,
    base,
    tax: amount,
    retained,
  });
  expect(reportOf(tax, counted)).toEqual({
    rows: [
      row('IRPF', '15', 'EUR', 1, '100', '0', '15'),
      row('VAT', '5.5', 'EUR', 1, '10', '0.55'),
      row('VAT', '20', 'EUR', 3, '71', '14.2'),
      row('VAT', '20', 'USD', 1, '200', '40'),
    ],
    totals: [
      { currency: 'EUR', documents: 3, base: '181', tax: '14.75', retained: '15' },
      { currency: 'USD', documents: 1, base: '200', tax: '40', retained: '0' },
    ],
  });
});

test('subtracts the tax of a void', () => {
  const fact = sampleFact(1, { voided_on: '2026-02-01' });
  expect(reportOf(tax, [countedOn('voided_on', fact)]).totals).toEqual([
    { currency: 'EUR', documents: -1, base: '-100', tax: '-20', retained: '0' },
  ]);
});
