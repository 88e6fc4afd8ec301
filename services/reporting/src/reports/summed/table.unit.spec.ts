import { decimal, toText } from '@svc/kernel';
import fc from 'fast-check';
import { keyId } from '../order.ts';
import { idAt, keyAt, labelsAt, type LabelColumns } from './table.ts';

const value = fc.oneof(
  fc.constant(null),
  fc.constantFrom('', 'a', 'VAT', 'cust_1'),
  fc.constantFrom('20', '5.5', '0', '-1.25', '9007199254740993').map((text): [string] => [toText(decimal(text))]),
);

test('a row of a table has the id of its key', () => {
  fc.assert(
    fc.property(fc.array(fc.array(value, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 4 }), (columns) => {
      expect(idAt(columns, 0)).toBe(keyId(columns.map((column) => keyAt(column, 0))));
    }),
  );
});

test('labels are made anew only where one differs', () => {
  const labels: LabelColumns = [
    ['customer_name', ['Floki', 'Floki', 'Lagertha']],
    ['customer_tax_id', [null, null, null]],
  ];
  const first = labelsAt(labels, 0, undefined);
  expect(first).toEqual({ customer_name: 'Floki', customer_tax_id: null });
  expect(labelsAt(labels, 1, first)).toBe(first);
  expect(labelsAt(labels, 2, first)).toEqual({ customer_name: 'Lagertha', customer_tax_id: null });
});
