import { createPrivateKey, generateKeyPairSync } from 'node:crypto';
import forge from 'node-forge';
import { checkCertificate, checkPrivateKey, UnboundedKey } from './bounded-keys.ts';
import { readPkcs12 } from './pkcs12.ts';
import { bits, derText, info, integer, octets, oid, plainFile, sequence, tagged } from './testing/files.ts';

type Asn1 = forge.asn1.Asn1;
const RSA = '1.2.840.113549.1.1.1';
const EC = '1.2.840.10045.2.1';
const P256 = '1.2.840.10045.3.1.7';
const others = { DSA: '1.2.840.10040.4.1', DH: '1.2.840.113549.1.3.1', PSS: '1.2.840.113549.1.1.10' };
const none = octets('');
const zero = integer(1);
const certificate = (algorithm: Asn1, key: string, serial = integer(8)): Asn1 =>
  sequence(sequence(tagged(0, zero), serial, none, none, none, none, sequence(algorithm, bits(key))), none, none);
const rsa = sequence(oid(RSA));
const ec = (curve: string | Asn1): Asn1 => sequence(oid(EC), typeof curve === 'string' ? oid(curve) : curve);
const numbers = (count: number, bytes: number): Asn1[] => Array.from({ length: count }, () => integer(bytes));
/** A field, a curve and a point as numbers. */
const explicit = sequence(integer(1), sequence(...numbers(2, 3_000)), sequence(...numbers(2, 3_000)), integer(3_000), integer(3_000));

const unbounded: Record<string, Asn1> = {
  ...{ 'DSA with numbers of 3,000 bytes': info(sequence(oid(others.DSA), sequence(...numbers(3, 3_000))), integer(3_000)) },
  ...{ 'DSA with small numbers': info(sequence(oid(others.DSA), sequence(...numbers(3, 128))), integer(20)) },
  ...{ 'DH with numbers of 3,000 bytes': info(sequence(oid(others.DH), sequence(...numbers(2, 3_000))), integer(3_000)) },
  ...{ 'RSA of 24,000 bits': info(rsa, sequence(...numbers(9, 3_000))) },
  ...{ 'RSA with a public exponent of 1,000 bytes': info(rsa, sequence(zero, integer(1_000), ...numbers(7, 1_000))) },
  ...{ 'RSA of many primes': info(rsa, sequence(...numbers(9, 100), sequence(...numbers(300, 100)))) },
  ...{ 'RSA-PSS with parameters': info(sequence(oid(others.PSS), explicit), sequence(...numbers(9, 100))) },
  ...{ 'a curve as numbers': info(ec(explicit), sequence(integer(1), octets('x'.repeat(32)))) },
  ...{ 'a curve as numbers within a named one': info(ec(P256), sequence(integer(1), octets('x'.repeat(32)), tagged(0, explicit))) },
  ...{ 'another curve': info(ec('1.3.132.0.39'), sequence(integer(1), octets('x'.repeat(32)))) },
  ...{ 'a curve with a long secret': info(ec(P256), sequence(integer(1), octets('x'.repeat(30_000)))) },
  ...{ 'no key at all': info(rsa, zero) },
};
const message = { refused: { certificate: expect.stringContaining('neither RSA of at most 8,192 bits') } };

test.each(Object.entries(unbounded))('a private key is not decoded that is %s', (_, key) => {
  expect(() => checkPrivateKey(key)).toThrow(UnboundedKey);
  expect(readPkcs12(plainFile({ keys: [key] }))).toEqual(message);
});

test.each<[string, Asn1]>([
  ['RSA of 24,000 bits', certificate(rsa, derText(sequence(integer(3_000), integer(3))))],
  ['RSA with a public exponent of 1,000 bytes', certificate(rsa, derText(sequence(integer(1_000), integer(1_000))))],
  ['DSA', certificate(sequence(oid(others.DSA), sequence(...numbers(3, 3_000))), derText(integer(3_000)))],
  ['of a curve as numbers', certificate(ec(explicit), 'x'.repeat(65))],
  ['of a curve with a long point', certificate(ec(P256), 'x'.repeat(30_000))],
])('a certificate is not decoded whose public key is %s', (_, of) => {
  expect(() => checkCertificate(of)).toThrow(UnboundedKey);
  expect(readPkcs12(plainFile({ certificates: [of] }))).toEqual(message);
});

test('a certificate is not decoded whose serial number is long', () => {
  const key = derText(sequence(integer(256), integer(3)));
  expect(() => checkCertificate(certificate(rsa, key))).not.toThrow();
  expect(() => checkCertificate(certificate(rsa, key, integer(20_000)))).toThrow(UnboundedKey);
});

test.each([
  generateKeyPairSync('rsa', { modulusLength: 2_048 }),
  ...['P-256', 'P-384', 'P-521', 'brainpoolP256r1', 'brainpoolP384r1', 'brainpoolP512r1'].map((namedCurve) =>
    generateKeyPairSync('ec', { namedCurve }),
  ),
])('keys of the algorithms that authorities take are decoded: %#', ({ privateKey }) => {
  const der = privateKey.export({ type: 'pkcs8', format: 'der' });
  const asn1 = forge.asn1.fromDer(der.toString('latin1'));
  checkPrivateKey(asn1);
  expect(createPrivateKey({ key: Buffer.from(derText(asn1), 'latin1'), format: 'der', type: 'pkcs8' }).equals(privateKey)).toBe(true);
});

test('a file has at most 4 keys and 20 certificates', () => {
  const many = { certificate: expect.stringContaining('more than 4 keys or 20 certificates') };
  const one = certificate(rsa, derText(sequence(integer(256), integer(3))));
  expect(readPkcs12(plainFile({ keys: Array(5).fill(unbounded['no key at all']) }))).toEqual({ refused: many });
  expect(readPkcs12(plainFile({ certificates: Array(21).fill(one) }))).toEqual({ refused: many });
});
