import { decimal, ONE } from '@svc/kernel';
import { canonical } from '../../xml/element.ts';
import { breakdownOf } from './breakdown.ts';
import { at21, esInvoice } from './testing/documents.ts';

type Lines = NonNullable<NonNullable<Parameters<typeof esInvoice>[0]>['lines']>;

/** ClaveRegimen of each group of a document with these lines. */
function regimesOf(lines: Lines, regime?: string): string[] {
  const { rows } = breakdownOf(esInvoice({ lines }).document, ONE, regime);
  return rows.map((row) => /<sf:ClaveRegimen>(\d\d)</.exec(canonical(row))?.[1] ?? '');
}
const untaxed = (code: string, exemption_code?: string): Lines[number] => ({
  amount: 50,
  tax: { code, rate: 0, ...(exemption_code && { exemption_code }) } as NonNullable<Lines[number]['tax']>,
});

test('every operation is of the general regime, except exports, however they are named', () => {
  expect(regimesOf([at21(100), untaxed('AE'), untaxed('K')])).toEqual(['01', '01', '01']);
  expect(regimesOf([untaxed('G')])).toEqual(['02']);
  expect(regimesOf([untaxed('E', 'E1'), untaxed('E', 'E2'), untaxed('E', 'E3'), untaxed('E', 'E4')])).toEqual(['01', '02', '02', '01']);
});

test('what comes to nothing without a tax is stated, too: a record has a detail', () => {
  const lines = [
    { amount: 5, tax: null },
    { amount: -5, quantity: -1, tax: null },
  ];
  const { rows, total } = breakdownOf(esInvoice({ lines }).document, ONE);
  expect([rows.length, total]).toEqual([1, '0.00']);
});

test('what conversion into euro rounds is no base of its own', () => {
  const lines = [at21(10.01), { amount: 10.01, tax: { rate: 10 } }];
  const { rows, total } = breakdownOf(esInvoice({ lines }).document, decimal('0.85'));
  // 20.02 is 17.02, twice 10.01 is twice 8.51; the taxes are 1.79 and 0.85.
  expect([rows.length, total]).toEqual([2, '19.66']);
  expect(breakdownOf(esInvoice({ lines: [...lines, { amount: 1, tax: null }] }).document, decimal('0.85')).rows).toHaveLength(3);
});

test('of an issuer with a regime of its own those operations that can be of it', () => {
  expect(regimesOf([at21(100), untaxed('E', 'E1'), untaxed('G')], '18')).toEqual(['18', '18', '02']);
  expect(regimesOf([at21(100), untaxed('AE'), untaxed('K'), { amount: 5, tax: null }], '07')).toEqual(['07', '01', '01', '01']);
  expect(regimesOf([at21(100), { amount: 10, tax: { rate: 10 } }], '11')).toEqual(['11', '01']);
});
