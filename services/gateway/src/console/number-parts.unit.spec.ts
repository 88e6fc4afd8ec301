import { anywhere, beginningsOf, digitsAtEnd, hasPart, inYearOf } from './number-parts.ts';

const known = ['INV-2026-000001', 'INV-2026-000002', 'RCP-2026-T1-000009'];

test.each([
  ['V-2026-0000', ['INV-2026-0000']],
  ['v-2026-01', ['INv-2026-01']],
  ['2026-01', ['INV-2026-01']],
  ['-01', ['INV-2026-01', 'RCP-2026-T1-01']],
  ['INV-2026-01', []],
  ['V-2026', []],
  ['0001', []],
])('%s is in the middle of numbers that begin so', (part, beginnings) => {
  expect(beginningsOf(part, known, 10)).toEqual(beginnings);
});

test.each([
  ['6-000123', '000123'],
  ['T1-9', '9'],
  ['000123', undefined],
  ['INV-2026-', undefined],
])('the digits at the end of %s', (text, digits) => expect(digitsAtEnd(text)).toBe(digits));

test('a part is found in any case', () => {
  expect([hasPart('INV-2026-000001', 'v-2026'), hasPart('INV-2026-000001', '0001'), hasPart('INV-2026-000001', 'RCP')]).toEqual([
    ...[true, true, false],
  ]);
});

test('a part that names another year is the middle of numbers of that year', () => {
  expect(beginningsOf('V-2024-0001', inYearOf('V-2024-0001', known), 10)).toEqual(['INV-2024-0001']);
  expect(inYearOf('V-000', known)).toEqual(known);
});

test.each([
  ['8412', '*8412*'],
  ['84', undefined],
  ['6-8412', undefined],
])('the text by which a list finds %s anywhere', (text, q) => expect(anywhere(text)).toBe(q));
