import { otherOwner } from './certificate-owner.ts';

const judged = (authority: string | null, tax_id: string | null, subject: string): boolean | undefined =>
  otherOwner({ authority, tax_id }, subject)?.isRefused;

test('a certificate of another taxpayer is refused where the authority wants the issuer’s own', () => {
  expect(judged('al-cis', 'L12345678A', 'C=AL, CN=Heron, serialNumber=L87654321B')).toBe(true);
  expect(judged('al-cis', 'L12345678A', 'C=AL, CN=Heron, serialNumber=L12345678A')).toBeUndefined();
  expect(judged('me-efi', '12345678', 'C=ME, CN=Heron, serialNumber=0101990123456')).toBe(true);
  expect(judged('me-efi', '12345678', 'C=ME, CN=Heron, serialNumber=12345678')).toBeUndefined();
});

test('it is a warning where others may sign for the issuer', () => {
  expect(judged('es-verifactu', 'B12345678', 'C=ES, CN=Egret, serialNumber=IDCES-A87654321')).toBe(false);
});

test('nothing is said where the subject names no taxpayer, one of several is the issuer, or the authority does not look', () => {
  expect(judged('al-cis', 'L12345678A', 'C=AL, CN=Heron')).toBeUndefined();
  expect(judged('al-cis', 'L12345678A', 'CN=L87654321B, serialNumber=L12345678A')).toBeUndefined();
  for (const authority of ['sandbox', 'toString']) expect(judged(authority, 'L12345678A', 'CN=L87654321B')).toBeUndefined();
  expect(judged('al-cis', null, 'CN=L87654321B')).toBeUndefined();
  expect(judged(null, null, 'CN=L87654321B')).toBeUndefined();
});
