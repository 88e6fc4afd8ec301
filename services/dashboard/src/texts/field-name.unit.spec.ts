import { fieldName, withFieldName } from './field-name.ts';

test.each([
  ['customer_id', 'Customer'],
  ['items.0.unit_price', 'Line 1, unit price'],
  ['items.11', 'Line 12'],
  ['issuer.tax_id', 'Tax id'],
  ['void.reason', 'void reason'],
])('%s is %s', (field, name) => expect(fieldName(field)).toBe(name));

test('a message that names no field stays as it is', () => {
  expect(withFieldName('customer_id: is of another account')).toBe('Customer: is of another account');
  expect(withFieldName('Not possible: wait.')).toBe('Not possible: wait.');
});
