import { itemsOf } from '@svc/totals/line';
import { checkedTotals } from '@svc/totals/totals';
import { takesBack } from './country-rules.ts';

type Sold = Parameters<typeof itemsOf>[0];

/** Whether a document of these lines does, whose issuer rounds sums alone. */
function found(given: Sold): boolean {
  const content = { items: itemsOf(given, '20'), discounts: [], charges: [], currency: 'EUR', prices_include_tax: false };
  return takesBack(content, checkedTotals({ ...content, rounding: 'precise' }, given, {}));
}

test('what rounding leaves of a document with several rates takes nothing back', () => {
  const half = { description: 'Tea', unit_price: '10.005' };
  expect(found([{ ...half }, { ...half, tax_rate: 10 }])).toBe(false);
});

test('a rate, or lines without a tax, that come to less than 0 take back', () => {
  const sold = { description: 'Tea', unit_price: 10, quantity: 3 };
  expect(found([sold, { ...sold, quantity: -1, tax_rate: 10 }])).toBe(true);
  expect(found([sold, { ...sold, quantity: -1, taxes: [] }])).toBe(true);
  expect(found([sold, { ...sold, taxes: [] }])).toBe(false);
});
