import type { Invoice } from '../../documents/documents.ts';
import { creditOf } from './credit.ts';
import { beyondLeft, creditedOf, leftOf } from './credited.ts';

const tax = { category: 'VAT', rate: '4', code: 'S', exemption_reason: null, exemption_code: null, retained: false, surcharge: null };
const line = (description: string, quantity: string, of: object = {}) => ({
  ...{ product_id: null, description, quantity, unit: 'C62', unit_price: '19.9', discounts: [], charges: [], taxes: [tax] },
  ...of,
});
const documentOf = (...items: object[]) =>
  ({ id: 'inv_1', currency: 'EUR', series: 'INV', customer: null, discounts: [], charges: [], items }) as unknown as Invoice;

const invoice = documentOf(line('Novel', '3'), line('Rope', '2.5'), line('Novel', '1'), line('Given back', '-2'));

test('what credit notes have taken of a line is not left', () => {
  const left = leftOf(invoice, [documentOf(line('Novel', '2')), documentOf(line('Rope', '0.5'), line('Given back', '-1'))]);
  expect(left).toEqual(['1', '2', '1', '-1']);
  expect(creditedOf(invoice, left)).toEqual(['2', '0.5', '0', '-1']);
});

test('what is more than one line has goes on to the next one like it', () =>
  expect(leftOf(invoice, [documentOf(line('Novel', '3.5'))])).toEqual(['0', '2.5', '0.5', '-2']));

test('a line that is written otherwise counts for none', () =>
  expect(leftOf(invoice, [documentOf(line('Novel', '1', { unit_price: '5' }), line('Novels', '1'))])).toEqual(['3', '2.5', '1', '-2']));

test.each([
  [{ 0: '4' }, [0]],
  [{ 0: '3', 1: '2.50' }, []],
  [{ 1: '2.51', 3: '-3' }, [1, 3]],
  [{ 0: 'many' }, []],
])('of a credit note of %j these lines take more than is left: %j', (chosen, expected) =>
  expect(beyondLeft(invoice, creditOf(invoice, chosen), leftOf(invoice, []))).toEqual(expected),
);
