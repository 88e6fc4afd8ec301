import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import forge from 'node-forge';
import type { CertificateFile } from '../pkcs12.ts';

/** Files that OpenSSL 3.0 has made, of one RSA key and certificate (`modern`, `legacy`) and of one of an elliptic curve (`ec`), until 2100. */
export const frozenFile = (name: 'modern' | 'legacy' | 'ec'): CertificateFile => ({
  certificate: readFileSync(new URL(`../../../fixtures/test-only-${name}.p12`, import.meta.url)).toString('base64'),
  passphrase: 'çelës 1',
});

const pair = (bits = 1_024) => {
  const pem = generateKeyPairSync('rsa', { modulusLength: bits }).privateKey.export({ type: 'pkcs8', format: 'pem' });
  const privateKey = forge.pki.privateKeyFromPem(pem.toString());
  return { privateKey, publicKey: forge.pki.setRsaPublicKey(privateKey.n, privateKey.e) };
};
const [own, foreign] = [pair(), pair()];

interface Made {
  /** Common name of its subject. */
  name?: string;
  passphrase?: string;
  notBefore?: Date;
  notAfter?: Date;
  /** What the file has: both, by default. */
  has?: 'key' | 'certificate' | 'foreign key';
  algorithm?: 'aes256' | '3des';
  useMac?: boolean;
  /** Of its key, in place of the one that all files have. */
  of?: Pick<typeof own, 'publicKey'> & { privateKey: forge.pki.PrivateKey };
  /** Of PBKDF2 and the MAC. */
  iterations?: number;
  /** Changes the file before it is encoded. */
  change?: (pfx: forge.asn1.Asn1) => void;
}

/** A file of one new certificate. */
export function newFile({
  name = 'Test only',
  passphrase = 'secret',
  notBefore = new Date('2020-01-01'),
  notAfter = new Date('2060-01-01'),
  has,
  of = own,
  algorithm = 'aes256',
  useMac = true,
  iterations = 2048,
  change,
}: Made = {}): CertificateFile {
  const certificate = forge.pki.createCertificate();
  certificate.publicKey = of.publicKey;
  certificate.serialNumber = `01${randomBytes(8).toString('hex')}`;
  certificate.validity.notBefore = notBefore;
  certificate.validity.notAfter = notAfter;
  const names = [{ name: 'commonName', value: name }];
  certificate.setSubject(names);
  certificate.setIssuer(names);
  certificate.sign(own.privateKey, forge.md.sha256.create());
  const key = has === 'certificate' ? null : has === 'foreign key' ? foreign.privateKey : of.privateKey;
  const certificates = has === 'key' ? [] : [certificate];
  const options = { algorithm, useMac, count: iterations, generateLocalKeyId: false };
  const pfx = forge.pkcs12.toPkcs12Asn1(key as forge.pki.rsa.PrivateKey, certificates, passphrase, options);
  change?.(pfx);
  return { certificate: Buffer.from(forge.asn1.toDer(pfx).getBytes(), 'latin1').toString('base64'), passphrase };
}

/** A file with a key of RSA of so many bits. */
export const longKeyFile = (length: number): CertificateFile => newFile({ of: pair(length) });

/** The same with numbers that do not fit together: those of its primes are as long as the modulus. */
export function unfitKeyFile(length: number): CertificateFile {
  const number = (hex: string) => new forge.jsbn.BigInteger(hex, 16);
  const odd = (first: string) => number(`${first}${randomBytes(length / 8 - 2).toString('hex')}ff`);
  const [n, d, e] = [odd('ff'), odd('fe'), number('10001')];
  const publicKey = forge.pki.setRsaPublicKey(n, e);
  return newFile({ of: { publicKey, privateKey: forge.pki.setRsaPrivateKey(n, e, d, n, n, n, n, n) } });
}

/** Sets how often the passphrase is hashed for the MAC. */
export const macIterations =
  (iterations: number) =>
  (pfx: forge.asn1.Asn1): void => {
    macOf(pfx)[2] = node(Type.INTEGER, forge.asn1.integerToDer(iterations).getBytes());
  };

/** As many as a file may have, by SHA-512, for which the library takes the longest: some ten seconds. */
export function mostIterations(pfx: forge.asn1.Asn1): void {
  macIterations(2_000_000)(pfx);
  const [digest] = macOf(pfx);
  (digest?.value as forge.asn1.Asn1[])[0] = sequence(oid(forge.pki.oids['sha512'] as string));
}

const macOf = ({ value }: forge.asn1.Asn1): forge.asn1.Asn1[] => (value as forge.asn1.Asn1[])[2]?.value as forge.asn1.Asn1[];

const { Class, Type } = forge.asn1;
const node = (type: forge.asn1.Type, value: string | forge.asn1.Asn1[], ofClass = Class.UNIVERSAL): forge.asn1.Asn1 =>
  forge.asn1.create(ofClass, type, Array.isArray(value), value);
export const sequence = (...value: forge.asn1.Asn1[]): forge.asn1.Asn1 => node(Type.SEQUENCE, value);
export const oid = (of: string): forge.asn1.Asn1 => node(Type.OID, forge.asn1.oidToDer(of).getBytes());
export const octets = (of: string): forge.asn1.Asn1 => node(Type.OCTETSTRING, of);
export const bits = (of: string): forge.asn1.Asn1 => node(Type.BITSTRING, `\0${of}`);
export const tagged = (n: number, of: forge.asn1.Asn1): forge.asn1.Asn1 => node(n as forge.asn1.Type, [of], Class.CONTEXT_SPECIFIC);
export const derText = (of: forge.asn1.Asn1): string => forge.asn1.toDer(of).getBytes();
/** An odd integer of so many bytes. */
export const integer = (bytes: number): forge.asn1.Asn1 => node(Type.INTEGER, `${'\x71'.repeat(bytes - 1)}\x71`);

/** A PrivateKeyInfo (RFC 5958). */
export const info = (algorithm: forge.asn1.Asn1, key: forge.asn1.Asn1): forge.asn1.Asn1 =>
  sequence(node(Type.INTEGER, '\0'), algorithm, octets(derText(key)));

/** A file without encryption and MAC with these keys (PrivateKeyInfo) and certificates. */
export function plainFile({
  keys = [],
  certificates = [],
}: {
  keys?: forge.asn1.Asn1[];
  certificates?: forge.asn1.Asn1[];
}): CertificateFile {
  const { oids } = forge.pki;
  const data = (of: forge.asn1.Asn1) => sequence(oid(oids['data'] as string), tagged(0, octets(derText(of))));
  const bags = [
    ...keys.map((key) => sequence(oid(oids['keyBag'] as string), tagged(0, key))),
    ...certificates.map((certificate) =>
      sequence(
        oid(oids['certBag'] as string),
        tagged(0, sequence(oid(oids['x509Certificate'] as string), tagged(0, octets(derText(certificate))))),
      ),
    ),
  ];
  const pfx = sequence(node(Type.INTEGER, '\x03'), data(sequence(data(sequence(...bags)))));
  return { certificate: Buffer.from(derText(pfx), 'latin1').toString('base64'), passphrase: 'x' };
}
