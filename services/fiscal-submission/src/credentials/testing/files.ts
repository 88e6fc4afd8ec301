import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import forge from 'node-forge';
import type { CertificateFile } from '../pkcs12.ts';

/** Files that OpenSSL 3.0 has made, of one RSA key and certificate (`modern`, `legacy`) and of one of an elliptic curve (`ec`), until 2100. */
export const frozenFile = (name: 'modern' | 'legacy' | 'ec'): CertificateFile => ({
  certificate: readFileSync(new URL(`../../../fixtures/test-only-${name}.p12`, import.meta.url)).toString('base64'),
  passphrase: 'çelës 1',
});

const pair = () => {
  const pem = generateKeyPairSync('rsa', { modulusLength: 1024 }).privateKey.export({ type: 'pkcs8', format: 'pem' });
  const privateKey = forge.pki.privateKeyFromPem(pem.toString());
  return { privateKey, publicKey: forge.pki.setRsaPublicKey(privateKey.n, privateKey.e) };
};
const [own, foreign] = [pair(), pair()];

interface Made {
  passphrase?: string;
  notAfter?: Date;
  /** What the file has: both, by default. */
  has?: 'key' | 'certificate' | 'foreign key';
  algorithm?: 'aes256' | '3des';
  useMac?: boolean;
  /** Of PBKDF2 and the MAC. */
  iterations?: number;
  /** Changes the file before it is encoded. */
  change?: (pfx: forge.asn1.Asn1) => void;
}

/** A file of one new certificate. */
export function newFile({
  passphrase = 'secret',
  notAfter = new Date('2060-01-01'),
  has,
  algorithm = 'aes256',
  useMac = true,
  iterations = 2048,
  change,
}: Made = {}): CertificateFile {
  const certificate = forge.pki.createCertificate();
  certificate.publicKey = own.publicKey;
  certificate.serialNumber = `01${randomBytes(8).toString('hex')}`;
  certificate.validity.notBefore = new Date('2020-01-01');
  certificate.validity.notAfter = notAfter;
  const names = [{ name: 'commonName', value: 'Test only' }];
  certificate.setSubject(names);
  certificate.setIssuer(names);
  certificate.sign(own.privateKey, forge.md.sha256.create());
  const key = has === 'certificate' ? null : has === 'foreign key' ? foreign.privateKey : own.privateKey;
  const certificates = has === 'key' ? [] : [certificate];
  const options = { algorithm, useMac, count: iterations, generateLocalKeyId: false };
  const pfx = forge.pkcs12.toPkcs12Asn1(key as forge.pki.rsa.PrivateKey, certificates, passphrase, options);
  change?.(pfx);
  return { certificate: Buffer.from(forge.asn1.toDer(pfx).getBytes(), 'latin1').toString('base64'), passphrase };
}

/** Sets how often the passphrase is hashed for the MAC: 2^31 − 1 times take an hour. */
export function manyIterations(pfx: forge.asn1.Asn1): void {
  const mac = (pfx.value as forge.asn1.Asn1[])[2] as forge.asn1.Asn1;
  const iterations = (mac.value as forge.asn1.Asn1[])[2] as forge.asn1.Asn1;
  iterations.value = '\x7f\xff\xff\xff';
}
