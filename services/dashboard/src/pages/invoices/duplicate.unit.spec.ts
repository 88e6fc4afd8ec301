import type { Invoice } from '../../documents/documents.ts';
import { copyOf } from './duplicate.ts';

const tax = { category: 'VAT', rate: '20', code: 'S', exemption_reason: null, exemption_code: null, retained: false, surcharge: null };
const invoice = {
  ...{ id: 'inv_1', number: 'INV-2026-000001', status: 'submitted', customer_id: 'cust_1', currency: 'EUR', series: 'INV' },
  ...{ prices_include_tax: false, rounding: 'line', notes: null, payment_method: null, issue_date: '2026-11-28', due_date: '2026-12-28' },
  ...{ metadata: { order: '17' }, discounts: [{ percent: '5', amount: null, reason: null, taxes: null }], charges: [] },
  items: [
    {
      ...{
        product_id: null,
        description: 'Consulting',
        quantity: '2',
        unit: 'HUR',
        unit_price: '123456789012.12345678',
        discounts: [],
        charges: [],
      },
      ...{ taxes: [tax], amount: '246913578024.25', discount_amount: '0', charge_amount: '0' },
    },
  ],
} as unknown as Invoice;

test('a copy has the customer and the lines, and nothing that belongs to the document alone', () => {
  expect(copyOf(invoice)).toEqual({
    ...{ customer_id: 'cust_1', currency: 'EUR', series: 'INV', prices_include_tax: false, rounding: 'line' },
    ...{ discounts: [{ percent: '5' }], charges: [] },
    items: [
      {
        ...{ description: 'Consulting', quantity: '2', unit: 'HUR', unit_price: '123456789012.12345678', discounts: [], charges: [] },
        taxes: [{ category: 'VAT', rate: '20', code: 'S', retained: false }],
      },
    ],
  });
});
