import { pending, type Fiscal } from '../../document/domain/fiscal.ts';
import { isSettled } from './is-settled.ts';

const link = { verification_url: 'https://example.com' };
const error = { code: 'no_answer', message: 'The authority does not answer.', fixable: null };
const settled = (authority: string, over: Partial<Fiscal> = {}, { status = 'issued' as 'issued' | 'voiding', isAway = false } = {}) =>
  isSettled({ status, fiscal: { ...pending(authority), ...over } }, isAway);

test.each<[boolean, string, string, Partial<Fiscal>]>([
  [true, 'registered', 'al-cis', { status: 'registered' }],
  [true, 'rejected', 'al-cis', { status: 'rejected', error }],
  [false, 'on its way', 'al-cis', link],
  [true, 'whole, and its authority away', 'al-cis', { ...link, error }],
  [true, 'whole, in doubt, and its authority away', 'al-cis', { ...link, error, status: 'unknown' }],
  [false, 'not whole yet', 'es-verifactu', {}],
  [true, 'whole, to be sent with others', 'es-verifactu', link],
  [false, 'without a link, its authority away', 'sandbox', { error }],
])('%s: a receipt that is %s', (expected, _what, authority, over) => expect(settled(authority, over)).toBe(expected));

test('one that is being voided is not', () => expect(settled('es-verifactu', link, { status: 'voiding' })).toBe(false));

test('one that has no error of its own is, where its authority does not answer others, once it is whole', () => {
  expect([settled('al-cis', link, { isAway: true }), settled('al-cis', {}, { isAway: true })]).toEqual([true, false]);
});
