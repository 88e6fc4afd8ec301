import type { Invoice } from '../../documents/documents.ts';
import { creditOf, isWithoutAmounts } from './credit.ts';
import { bodyOf } from './values.ts';

const item = (description: string, discounts: object[] = []) => ({
  ...{ product_id: null, description, quantity: '4', unit: 'C62', unit_price: '10', discounts, charges: [], taxes: [] },
  ...{ amount: '40', discount_amount: '0', charge_amount: '0' },
});
const adjustment = (of: object) => ({ percent: null, amount: null, reason: null, taxes: null, ...of });
const invoice = {
  ...{ id: 'inv_1', type: 'standard', customer_id: 'cust_1', customer: { name: 'Ana' }, currency: 'EUR', series: 'INV', notes: 'Thanks' },
  ...{ prices_include_tax: false, rounding: 'line', issue_date: '2026-11-28', payment_method: null },
  ...{ discounts: [adjustment({ percent: '5' }), adjustment({ amount: '3' })], charges: [] },
  items: [item('Rope', [adjustment({ amount: '2' })]), item('Boat')],
} as unknown as Invoice;

test('a credit note has the chosen lines with their quantities, and the percentages of the whole', () => {
  const { type, corrects, series, notes, discounts, items } = bodyOf(creditOf(invoice, { 1: '1' }));
  expect({ type, corrects, series, notes, discounts }).toEqual({
    ...{ type: 'credit_note', corrects: 'inv_1', series: undefined, notes: null, discounts: [{ percent: '5' }] },
  });
  expect(items).toMatchObject([{ description: 'Boat', quantity: '1' }]);
});

test('all of an invoice is credited with its amounts; of a part they are for a person to say', () => {
  const whole = creditOf(invoice, { 0: '4', 1: '4' });
  expect(bodyOf(whole).discounts).toEqual([{ percent: '5' }, { amount: '3' }]);
  expect(isWithoutAmounts(invoice, whole)).toBe(false);
  expect(isWithoutAmounts(invoice, creditOf(invoice, { 0: '1' }))).toBe(true);
});
