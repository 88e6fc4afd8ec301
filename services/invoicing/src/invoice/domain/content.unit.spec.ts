import type { CreateInvoice } from '@svc/contracts/invoice/requests';
import { DomainError } from '@svc/kernel';
import { newContent, type Preconditions } from './content.ts';
import { body, preconditions, customerId, id, issuer } from './testing/samples.ts';

const made = (over: Partial<CreateInvoice>, around: Partial<Preconditions> = {}) =>
  newContent({ id, body: { ...body, ...over } }, { ...preconditions, ...around });
const wrongOf = (over: object, around: Partial<Preconditions> = {}): string[] => {
  try {
    made(over, around);
  } catch (error) {
    if (error instanceof DomainError) return Object.keys(error.details ?? {});
    throw error;
  }
  return [];
};
const item = (over: object) => ({ items: [{ unit_price: 1, ...over }] });

describe('defaults', () => {
  test('from the issuer and the interface', () => {
    expect(made({}).content).toEqual({
      type: 'standard',
      customer_id: customerId,
      items: [
        {
          product_id: null,
          description: 'Consulting',
          quantity: '1',
          unit: 'C62',
          unit_price: '100',
          discounts: [],
          charges: [],
          taxes: [{ category: 'VAT', rate: '20', code: 'S', retained: false }],
        },
      ],
      discounts: [],
      charges: [],
      currency: 'EUR',
      prices_include_tax: false,
      rounding: 'line',
      series: 'INV',
      issue_date: null,
      due_date: null,
      corrects: null,
      notes: null,
      metadata: {},
    });
  });

  test('from settings of the issuer', () => {
    const defaults = { ...issuer, currency: 'USD', prices_include_tax: true, rounding: 'precise' as const, default_tax_rate: '7' };
    const { content, totals } = made({}, { defaults });
    expect([content.currency, content.prices_include_tax, content.rounding, content.items[0]?.taxes[0]?.rate]).toEqual([
      'USD',
      true,
      'precise',
      '7',
    ]);
    expect(totals.total).toBe('100');
  });

  test.each([
    [{ tax_rate: 21 }, [{ category: 'VAT', rate: '21', code: 'S', retained: false }]],
    [{ tax_rate: 0 }, [{ category: 'VAT', rate: '0', code: 'Z', retained: false }]],
    [{ tax_rate: null }, [{ category: 'VAT', rate: '20', code: 'S', retained: false }]],
    [{ taxes: null }, [{ category: 'VAT', rate: '20', code: 'S', retained: false }]],
    [{ taxes: [] }, []],
    [
      { taxes: [{ rate: '5.50', surcharge: '0.70', exemption_reason: null }] },
      [{ category: 'VAT', rate: '5.5', code: 'S', retained: false, surcharge: '0.7' }],
    ],
    [
      { taxes: [{ category: 'IRPF', rate: 15, retained: true, code: 'O', exemption_reason: 'law' }] },
      [{ category: 'IRPF', rate: '15', code: 'O', retained: true, exemption_reason: 'law' }],
    ],
  ])('taxes of %j', (over, taxes) => expect(made(item(over)).content.items[0]?.taxes).toEqual(taxes));

  test('numbers and strings become the same canonical text', () => {
    const [a, b] = [12.3, '12.30'].map((unit_price) =>
      made(item({ unit_price, quantity: '2.500', discounts: [{ amount: '1.0' }, { percent: 7.5 }] })),
    );
    expect(a).toEqual(b);
    expect(made(item({ unit_price: 0.0000001 })).content.items[0]?.unit_price).toBe('0.0000001');
  });
});

describe('rejected content is named', () => {
  test.each([
    [{ type: 'credit_note', corrects: 'inv_1' }, ['corrects']],
    [item({ product_id: 'prod_1' }), ['items.0.product_id']],
    [{ items: [{ description: 'no price' }] }, ['items.0.unit_price']],
    [item({ discounts: [{ amount: '0.001' }] }), ['items.0.discounts.0.amount']],
    [item({ discounts: [{ amount: '1', taxes: [] }] }), ['items.0.discounts.0.taxes']],
    [{ discounts: [{ amount: 1 }, { amount: '0.001' }], charges: [{ amount: 0.005 }] }, ['discounts.1.amount', 'charges.0.amount']],
    [{ currency: 'JPY', charges: [{ amount: 0.5 }] }, ['charges.0.amount']],
    [{ currency: 'KWD', charges: [{ amount: '0.0001' }] }, ['charges.0.amount']],
    [{ currency: 'XXX' }, ['currency']],
    [{ issue_date: '2026-01-17' }, ['issue_date']],
    [{ issue_date: '2026-01-16', due_date: '2026-01-15' }, ['due_date']],
    [{ prices_include_tax: true, ...item({ taxes: [{ rate: 20 }, { rate: 5 }] }) }, ['items.0.taxes']],
    [item({ taxes: [{ rate: 20 }, { rate: 5 }] }), ['items.0.taxes']],
    [{ prices_include_tax: true, ...item({ taxes: [{ rate: 20 }, { category: 'ECO', rate: 1 }] }) }, ['items.0.taxes']],
    [
      item({
        taxes: [
          { category: 'ST', rate: 1 },
          { rate: '0.0', code: 'S' },
        ],
      }),
      ['items.0.taxes.1.code'],
    ],
    [{ charges: [{ amount: 1, taxes: [{ rate: 20, code: 'Z' }] }] }, ['charges.0.taxes.0.code']],
    [item({ unit_price: '999999999999', quantity: '9999' }), ['items']],
  ])('%j', (over, fields) => expect(wrongOf(over)).toEqual(fields));

  test.each(['Z', 'E', 'AE', 'K', 'G', 'O'] as const)('a rate above 0 with the code %s', (code) =>
    expect(wrongOf(item({ taxes: [{ rate: 20, code }] }))).toEqual(['items.0.taxes.0.code']),
  );

  test('all problems at once', () => {
    expect(
      wrongOf(
        { type: 'corrective', issue_date: '2027-01-01', ...item({ product_id: 'prod_1', charges: [{ amount: '0.001' }] }) },
        { customerKnown: false },
      ),
    ).toEqual(['customer_id', 'items.0.product_id', 'corrects', 'issue_date', 'items.0.charges.0.amount']);
  });

  test.each([
    { issue_date: '2026-01-16' },
    { issue_date: '2026-01-16', due_date: '2026-01-16' },
    { due_date: '2020-01-01' }, // judged with the issue date, at submission
    { issue_date: '2020-01-01' },
    { currency: 'KWD', charges: [{ amount: '0.001' }] },
    item({ taxes: [{ rate: 20 }, { category: 'ECO', rate: 5 }] }),
    item({
      taxes: [
        { rate: 0, code: 'AE' },
        { category: 'IRPF', rate: 15, code: 'O', retained: true },
      ],
    }),
    {
      prices_include_tax: true,
      ...item({
        taxes: [
          { category: 'IGIC', rate: 7 },
          { category: 'IRPF', rate: 15, retained: true },
        ],
      }),
    },
  ])('accepts %j', (over) => expect(wrongOf(over)).toEqual([]));
});
