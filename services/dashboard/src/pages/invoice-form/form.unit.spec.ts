import { ApiError } from '@svc/client/console';
import type { Invoice } from '../../documents/documents.ts';
import { changesOf, differences, dropsLines, merged } from './changes.ts';
import { errorsOf, fieldsOfForm, hasFieldForAll } from './errors.ts';
import { changed } from './state.ts';
import { bodyOf, copyOf, emptyForm, type FormValues, valuesOf } from './values.ts';

const tax = { category: 'VAT', rate: '20', code: 'S', exemption_reason: null, exemption_code: null, retained: false, surcharge: null };
const invoice = {
  ...{
    id: 'inv_1',
    number: null,
    type: 'standard',
    status: 'draft',
    customer_id: 'cust_1',
    customer: null,
    customer_name: 'Ana',
    corrects: null,
  },
  ...{ currency: 'EUR', series: 'INV', prices_include_tax: false, rounding: 'line', notes: null, payment_method: null },
  ...{ issue_date: '2026-11-28', due_date: '2026-12-28', supply_date: null, exchange_rate: null, metadata: { order: '17' }, charges: [] },
  discounts: [{ percent: '5', amount: null, reason: null, taxes: null }],
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
const before = valuesOf(invoice);
const withHead = (values: FormValues, to: Partial<FormValues['head']>): FormValues => changed(values, { change: 'head', to });
const withLine = (values: FormValues, to: Partial<FormValues['lines'][0]>): FormValues => changed(values, { change: 'line', key: 0, to });

test('a copy has the customer and the lines with all their digits, and nothing that belongs to the document alone', () => {
  const { items, ...rest } = bodyOf(copyOf(invoice));
  expect(rest).toEqual({
    ...{ customer_id: 'cust_1', currency: 'EUR', series: 'INV', prices_include_tax: false, rounding: 'line', payment_method: null },
    ...{
      issue_date: null,
      due_date: null,
      supply_date: null,
      exchange_rate: null,
      notes: null,
      discounts: [{ percent: '5' }],
      charges: [],
    },
  });
  expect(items).toEqual([
    {
      ...{ description: 'Consulting', quantity: '2', unit: 'HUR', unit_price: '123456789012.12345678', discounts: [], charges: [] },
      taxes: [{ category: 'VAT', rate: '20', code: 'S', retained: false }],
    },
  ]);
});

test('empty lines are not sent', () => {
  const empty = emptyForm({ currency: 'EUR', prices_include_tax: false, rounding: 'line' });
  expect(bodyOf(changed(empty, { change: 'add' })).items).toEqual([]);
});

test('decimals with a comma are sent as the interface takes them', () => {
  const taxes = [{ ...tax, rate: '5,5', exemption_reason: '', exemption_code: '', surcharge: '0,5' }];
  const discounts = [{ kind: 'amount' as const, value: '0,5', reason: '', taxes: null }];
  expect(bodyOf(withLine(before, { quantity: '1,5', unit_price: '1.234,50', taxes, discounts })).items[0]).toMatchObject({
    ...{ quantity: '1.5', unit_price: '1234.50', taxes: [{ rate: '5.5', surcharge: '0.5' }], discounts: [{ amount: '0.5' }] },
  });
});

test('only what was changed is sent', () => {
  expect(changesOf(before, before)).toEqual({});
  expect(changesOf(before, withHead(before, { due_date: '' }))).toEqual({ due_date: null });
});

test('messages stand at the line they are about, whatever lines before it are empty', () => {
  const values = changed(changed(emptyForm({ currency: 'EUR', prices_include_tax: false, rounding: 'line' }), { change: 'add' }), {
    ...{ change: 'line', key: 1, to: { description: 'Rope', unit_price: 'x' } },
  });
  const details = { 'items.0.unit_price': ['Send a number.'], customer_id: ['Send one.'] };
  const { head, lines } = errorsOf(new ApiError({ status: 422, code: 'validation_error', message: '', details, requestId: null }), values);
  expect(head).toEqual({ customer_id: 'Send one.' });
  expect([...lines]).toEqual([[1, { unit_price: 'Send a number.' }]]);
});

test('a message names no route to a person', () => {
  const details = { customer_id: ['has no tax id: set it by PATCH /v1/customers/{id}.'] };
  const error = new ApiError({ status: 422, code: 'validation_error', message: '', requestId: null, details });
  expect(errorsOf(error, before).head).toEqual({ customer_id: 'has no tax id: set it.' });
});

test('what another person has changed is named, with both values', () => {
  const theirs = withLine(withHead(before, { notes: 'Thanks' }), { quantity: '3' });
  expect(differences(before, theirs)).toEqual([
    { field: 'notes', from: '', to: 'Thanks' },
    {
      field: 'items',
      line: 1,
      from: 'Consulting, 2 × 123456789012.12345678, VAT 20 %',
      to: 'Consulting, 3 × 123456789012.12345678, VAT 20 %',
    },
  ]);
});

test('changes of two people to different fields are both kept', () => {
  const both = merged(before, withHead(before, { notes: 'Mine' }), withLine(before, { quantity: '3' }));
  expect([both.head.notes, both.lines[0]?.quantity]).toEqual(['Mine', '3']);
});

test('of lines as many as before each is of who has changed it', () => {
  const two = changed(changed(before, { change: 'add' }), { change: 'line', key: 1, to: { description: 'Travel', unit_price: '5' } });
  const mine = changed(changed(two, { change: 'line', key: 1, to: { unit_price: '6' } }), { change: 'add' });
  const theirs = withLine(two, { unit_price: '11' });
  expect(merged(two, mine, theirs).lines.map(({ key, unit_price: price }) => [key, price])).toEqual([
    [0, '11'],
    [1, '6'],
  ]);
  expect(dropsLines(two, mine, theirs)).toBe(false);
});

test('lines of which one was added or removed are mine as a whole, which is said where theirs have changed', () => {
  const mine = changed(changed(before, { change: 'add' }), { change: 'line', key: 1, to: { description: 'Travel', unit_price: '5' } });
  const theirs = withLine(before, { unit_price: '11' });
  expect(merged(before, mine, theirs).lines).toEqual(mine.lines);
  expect(dropsLines(before, mine, theirs)).toBe(true);
  expect(dropsLines(before, mine, withHead(before, { notes: 'Theirs' }))).toBe(false);
});

test.each([
  [['customer_id', 'discounts.0.percent', 'items.0.taxes.0.rate'], true],
  [['customer_id', 'corrects'], false],
  [['discounts'], false],
  [['items.0.discounts'], false],
])('a refusal of %j has its fields in the form: %p', (names, expected) => {
  const details = Object.fromEntries(names.map((name) => [name, ['is wrong.']]));
  const error = new ApiError({ status: 422, code: 'validation_error', message: '', requestId: null, details });
  expect(hasFieldForAll(errorsOf(error, before), fieldsOfForm)).toBe(expected);
});

test('a page without a field for the customer shows the refusal as a whole', () => {
  const details = { customer_id: ['was deleted.'] };
  const error = new ApiError({ status: 422, code: 'validation_error', message: '', requestId: null, details });
  expect(hasFieldForAll(errorsOf(error, before), { head: [], line: fieldsOfForm.line })).toBe(false);
});
