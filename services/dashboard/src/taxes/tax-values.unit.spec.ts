import { plainTax, withOneMore } from './tax-values.ts';

test('a tax that is added stands beside the default of the issuer', () =>
  expect(withOneMore(null, '21')).toEqual([plainTax('21'), plainTax('')]));

test('a default that cannot be read has a row to be filled', () => expect(withOneMore(null, null)).toEqual([plainTax(''), plainTax('')]));

test('a tax that is added stands after those that there are, also after none', () => {
  expect(withOneMore([plainTax('4')], '21')).toEqual([plainTax('4'), plainTax('')]);
  expect(withOneMore([], '21')).toEqual([plainTax('')]);
});
