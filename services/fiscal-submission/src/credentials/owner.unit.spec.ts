import { otherOwner, type Owners } from './owner.ts';

const owners: Owners = new Map([
  ['strict', { owner: { taxId: /\b[A-Z]\d{8}[A-Z]\b/, mayDiffer: false } }],
  ['lenient', { owner: { taxId: /\b[A-Z]\d{8}\b/, mayDiffer: true } }],
  ['any', {}],
]);
const judged = (authority: string | null, tax_id: string | null, subject: string): boolean | undefined =>
  otherOwner(owners, { authority, tax_id }, subject)?.isRefused;

test('a certificate of another taxpayer is refused where the authority wants the issuer’s own', () => {
  expect(judged('strict', 'L12345678A', 'C=AL, CN=Heron, serialNumber=L87654321B')).toBe(true);
  expect(judged('strict', 'L12345678A', 'C=AL, CN=Heron, serialNumber=L12345678A')).toBeUndefined();
});

test('it is a warning where others may sign for the issuer', () => {
  expect(judged('lenient', 'B12345678', 'C=ES, CN=Egret, serialNumber=IDCES-A87654321')).toBe(false);
});

test('nothing is said where the subject names no taxpayer, one of several is the issuer, or the request has no issuer', () => {
  expect(judged('strict', 'L12345678A', 'C=AL, CN=Heron')).toBeUndefined();
  expect(judged('strict', 'L12345678A', 'CN=L87654321B, serialNumber=L12345678A')).toBeUndefined();
  expect(judged('any', 'L12345678A', 'CN=L87654321B')).toBeUndefined();
  expect(judged(null, null, 'CN=L87654321B')).toBeUndefined();
});
