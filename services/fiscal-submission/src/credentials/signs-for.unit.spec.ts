import { createPrivateKey, generateKeyPairSync, type JsonWebKey, type KeyObject } from 'node:crypto';
import forge from 'node-forge';
import { type ReadCertificate, readPkcs12 } from './pkcs12.ts';
import { signsFor } from './signs-for.ts';
import { newFile, plainFile } from './testing/files.ts';

const numbers = ['p', 'q', 'dp', 'dq', 'qi'] as const;
const pair = generateKeyPairSync('rsa', { modulusLength: 2_048 });
const other = generateKeyPairSync('rsa', { modulusLength: 2_048 }).privateKey.export({ format: 'jwk' });
const of = (key: KeyObject, over: JsonWebKey): KeyObject =>
  createPrivateKey({ key: { ...key.export({ format: 'jwk' }), ...over }, format: 'jwk' });
const signs = ({ publicKey }: { publicKey: KeyObject }, privateKey: KeyObject): boolean => signsFor({ publicKey }, privateKey);

/** Of `p` modulo `q`: q·qi = 1 + k·p, so that k is the negative of it. */
function inverse(...hex: [p: string, q: string, qi: string]): string {
  const [p, q, qi] = hex.map((number) => BigInt(`0x${Buffer.from(number, 'base64url').toString('hex')}`)) as [bigint, bigint, bigint];
  const found = (q - (((q * qi - 1n) / p) % q)).toString(16);
  return Buffer.from(found.padStart(found.length + (found.length % 2), '0'), 'hex').toString('base64url');
}

test.each([512, 1_024, 2_047, 2_048, 2_049, 3_072, 4_096])('a key of RSA signs: %i bits', (modulusLength) => {
  const own = generateKeyPairSync('rsa', { modulusLength });
  expect(signs(own, own.privateKey)).toBe(true);
});

test.each(['P-256', 'P-384', 'P-521', 'brainpoolP256r1', 'brainpoolP384r1', 'brainpoolP512r1'])(
  'a key of a curve signs: %s',
  (namedCurve) => {
    const own = generateKeyPairSync('ec', { namedCurve });
    expect(signs(own, own.privateKey)).toBe(true);
  },
);

test('a key with a public exponent of 3 signs, and one that names its greater prime last', () => {
  const own = generateKeyPairSync('rsa', { modulusLength: 2_048, publicExponent: 3 });
  expect(signs(own, own.privateKey)).toBe(true);
  const { p, q, dp, dq, qi } = own.privateKey.export({ format: 'jwk' }) as Record<(typeof numbers)[number], string>;
  expect(signs(own, of(own.privateKey, { p: q, q: p, dp: dq, dq: dp, qi: inverse(p, q, qi) }))).toBe(true);
});

test.each(numbers)('a key does not that signs by its exponent alone, as this number is of another: %s', (number) => {
  expect(signs(pair, of(pair.privateKey, { [number]: other[number] as string }))).toBe(false);
});

test.each(numbers)('nothing is computed with a number of a prime that is as long as the modulus: %s', (number) => {
  expect(signs(pair, of(pair.privateKey, { [number]: other.n as string }))).toBe(false);
});

test('a file is refused whose key does not', () => {
  const { opened } = readPkcs12(newFile()) as ReadCertificate;
  const key = createPrivateKey({ key: Buffer.from(opened.key, 'base64'), format: 'der', type: 'pkcs8' });
  const asn1 = (der: Buffer) => forge.asn1.fromDer(der.toString('latin1'));
  const fileOf = (one: KeyObject) =>
    plainFile({
      keys: [asn1(one.export({ type: 'pkcs8', format: 'der' }))],
      certificates: [asn1(Buffer.from(opened.certificate, 'base64'))],
    });
  expect(readPkcs12(fileOf(key))).toMatchObject({ subject: 'CN=Test only' });
  const refused = { refused: { certificate: expect.stringContaining('does not sign for its certificate') } };
  expect(readPkcs12(fileOf(of(key, { dp: other.dp as string })))).toEqual(refused);
});
