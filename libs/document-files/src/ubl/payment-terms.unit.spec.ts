import { documentOf, type Given } from './testing/documents.ts';
import { at, parsed } from './testing/parsed.ts';
import { rules } from './testing/rules.ts';
import { ublOf } from './ubl.ts';

const { total } = documentOf({});
const documentWith = (given: Given) => parsed(ublOf(documentOf({ due_date: null, ...given }), null).xml);

test('payable on receipt is what has no due date and is not paid', () => {
  const terms = (given: Given) => at(documentWith(given).document, 'PaymentTerms/Note');
  expect(terms({ amount_paid: 0 })).toBe('Payable on receipt.');
  expect(terms({ amount_paid: 0, due_date: '2026-12-31' })).toBeUndefined();
  expect(terms({ amount_paid: total })).toBeUndefined();
});

test('a document without terms breaks no rule of EN 16931', () => {
  const paid = documentWith({ amount_paid: total });
  expect(rules.filter(({ check }) => check(paid).includes(false)).map(({ id }) => id)).toEqual([]);
});
