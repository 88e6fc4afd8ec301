import { alInvoice } from './testing/documents.ts';
import { warningsOf } from './warnings.ts';

const ascii = {
  issuer: { legal_name: 'Seller', address: { line1: 'Street 1', city: 'Tirana', country: 'AL' } },
  over: { customer: null },
};

test('a document in ASCII has none', () => {
  expect(warningsOf(alInvoice(ascii))).toEqual([]);
});

test('texts beyond ASCII are warned of once, with the first of them', () => {
  const lines = ['Çelës', 'Plain', 'Dërrasë'].map((description) => ({ amount: 1, description }));
  expect(warningsOf(alInvoice({ ...ascii, lines }))).toEqual([
    { code: 'transliterated', message: 'The authority takes ASCII: 2 texts, such as "Çelës", sent as "Celes".' },
  ]);
});

test('names that are cut are warned of once', () => {
  const lines = ['x'.repeat(50), 'y'.repeat(51)].map((description) => ({ amount: 1, description }));
  expect(warningsOf(alInvoice({ ...ascii, lines }))).toMatchObject([
    { code: 'item_name_cut', message: expect.stringContaining(`"${'y'.repeat(47)}..."`) },
  ]);
});
