import { type BasketLine, currenciesOf, decimalOf, receiptOf, sumOf, withProduct, withText } from './lines.ts';

const line = (quantity: string, unit_price: string, taxes: BasketLine['taxes'] = null): BasketLine => ({
  key: 0,
  product_id: null,
  name: 'x',
  quantity,
  unit_price,
  currency: null,
  taxes,
});

test.each([
  [[line('3', '33.335')], 2, '100.01'],
  [[line('0.1', '0.1'), line('2', '0.005')], 2, '0.02'],
  [[line('-1', '12.5')], 2, '-12.50'],
  [[line('3', '33.4')], 0, '100'],
  [[line('1,5', '1.234,50')], 2, '1851.75'],
])('%j with %d decimals: %s', (lines, decimals, sum) => {
  expect(decimalOf(sumOf(lines, { decimals, rounding: 'line' }) as bigint, decimals)).toBe(sum);
});

const surcharged = (rate: string, surcharge: string) => [{ category: 'VAT', code: 'S', rate, surcharge, retained: false }];

test.each([
  ['line', [line('1', '10', surcharged('21', '5.2'))], '10.43'],
  ['line', [line('1', '10', surcharged('21', '5.2')), line('1', '10', surcharged('10', '1.4')), line('1', '1')], '21.56'],
  ['line', [line('-1', '10', surcharged('21', '5.2'))], '-10.43'],
  ['line', [line('1', '10', [...surcharged('21', '5.2'), { category: 'IRPF', code: 'S', rate: '15', retained: true }])], '10.43'],
  ['line', [line('1', '1.005'), line('1', '1.005')], '2.02'],
  ['precise', [line('1', '1.005'), line('1', '1.005')], '2.01'],
  ['precise', [line('1', '1.005', surcharged('21', '5.2')), line('1', '1.005', surcharged('21', '5.2'))], '2.10'],
])('as the receipt charges it, rounded as %s: %j is %s', (rounding, lines, sum) => {
  expect(decimalOf(sumOf(lines, { decimals: 2, rounding }) as bigint, 2)).toBe(sum);
});

test('a line without a price has no sum yet', () => {
  expect(sumOf([line('1', '')], { decimals: 2, rounding: 'line' })).toBeNull();
});

test('a product that is pressed again counts up', () => {
  const rope = { id: 'prod_1', name: 'Rope', unit_price: '9.9', currency: 'EUR', taxes: null };
  const lines = withProduct(withText(withProduct([], rope), 'Boat'), rope);
  expect(lines.map(({ name, quantity, unit_price: price }) => [name, quantity, price])).toEqual([
    ['Rope', '2', '9.9'],
    ['Boat', '1', ''],
  ]);
});

test('a receipt is in the currency that its prices are of, and in the one of the issuer where they are of none', () => {
  const of = (...currencies: (string | null)[]) => currencies.map((currency) => ({ ...line('1', '5'), currency }));
  expect(receiptOf(of(null, 'USD', 'USD'), 'cash', null)).toMatchObject({ currency: 'USD' });
  expect(receiptOf(of(null), 'cash', null)).not.toHaveProperty('currency');
  expect(currenciesOf(of('USD', null, 'EUR'))).toEqual(['USD', 'EUR']);
});

test('a receipt has its decimals as the interface takes them', () => {
  expect(receiptOf([line('1,5', '3,50')], 'cash', null).items).toEqual([{ description: 'x', quantity: '1.5', unit_price: '3.50' }]);
});

test('a receipt names the till of the session', () => {
  const till = { unit: 'SHOP', device: 'TILL1', operator: null };
  expect(receiptOf([line('1', '5')], 'cash', till)).toEqual({
    ...{ items: [{ description: 'x', quantity: '1', unit_price: '5' }], payment_method: 'cash', unit: 'SHOP', device: 'TILL1' },
  });
});
