import { isCorrectable, isCreditable } from './corrections.ts';

const registered = { status: 'submitted', type: 'standard', total: '240.00', amount_due: '240.00', amount_paid: '0' } as const;

test.each([
  ['of which nothing is paid or credited', {}, true],
  ['that is paid', { amount_due: '0.00', amount_paid: '240.00' }, true],
  ['that is credited in part', { amount_due: '180.00' }, true],
  ['that is credited', { amount_due: '0.00' }, false],
  ['that is paid and credited', { amount_due: '-240.00', amount_paid: '240.00' }, false],
  ['that is paid and credited in part', { amount_due: '-60.00', amount_paid: '240.00' }, true],
  ['that is paid in part, and credited', { amount_due: '-100', amount_paid: '100.00' }, false],
  ['of nothing', { total: '0.00', amount_due: '0.00' }, false],
  ['below 0', { type: 'corrective' as const, total: '-12.00', amount_due: '-12.00' }, false],
  ['that carries out a void', { type: 'corrective' as const, voids: 'inv_1' }, false],
  ['that is a credit note', { type: 'credit_note' as const }, false],
  ['that is void', { status: 'voided' as const }, false],
])('of an invoice %s', (_, over, creditable) => expect(isCreditable({ ...registered, ...over })).toBe(creditable));

test('an invoice of which all is credited takes a corrective, which may add; one that carries out a void does not', () => {
  expect([isCorrectable(registered), isCorrectable({ ...registered, type: 'corrective', voids: 'inv_1' })]).toEqual([true, false]);
});
