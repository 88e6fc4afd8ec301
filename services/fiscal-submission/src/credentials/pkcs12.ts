import { createPrivateKey, pbkdf2Sync, X509Certificate, type KeyObject } from 'node:crypto';
import forge from 'node-forge';

/** A PKCS#12 file in base64, with its passphrase. */
export interface CertificateFile {
  certificate: string;
  passphrase: string;
}

/** What may be shown of a certificate whose private key is in the file. */
export interface ReadCertificate {
  subject: string;
  /** Hex. */
  serial: string;
  /** Milliseconds since 1970. */
  expiresAt: number;
  /** SHA-256 of the certificate, hex. */
  fingerprint: string;
}

/** A message about a field of the file. */
export type Refused = { [field in keyof CertificateFile]?: string };

/** Of PBKDF2, which is native code: ending the worker does not interrupt it. This many take one to two seconds. */
const MOST_ITERATIONS = 2_000_000;
const LONGEST_SUBJECT = 2_000;
const LONGEST_SERIAL = 255;

class TooManyIterations extends Error {}

// The library parses what is in bit strings, and in these the next, each a copy, however deep: a file of 64 KiB took 850 MB.
const fromDer = forge.asn1.fromDer as unknown as (bytes: string, options: object) => forge.asn1.Asn1;
Object.assign(forge.asn1, {
  fromDer: (bytes: string, strict = true) => fromDer(bytes, { strict, parseAllBytes: true, decodeBitStrings: false }),
});

// The library's own PBKDF2 is in JavaScript, and takes the passphrase for bytes instead of text: it opens no file of OpenSSL with letters beyond
// ASCII, and needs 7 s for one of 600,000 iterations, which now takes 1.1 s.
Object.assign(forge.pkcs5, {
  pbkdf2(passphrase: string, salt: string, iterations: number, length: number, { algorithm }: { algorithm: string }): string {
    if (iterations > MOST_ITERATIONS) throw new TooManyIterations();
    return pbkdf2Sync(passphrase, Buffer.from(salt, 'latin1'), iterations, length, algorithm).toString('latin1');
  },
});

/** Opens the file, and returns what is wrong with it otherwise. Its author decides how long that takes: it runs in the worker. */
export function readPkcs12({ certificate, passphrase }: CertificateFile): ReadCertificate | { refused: Refused } {
  let pfx: forge.asn1.Asn1;
  try {
    pfx = forge.asn1.fromDer(Buffer.from(certificate, 'base64').toString('latin1'));
  } catch {
    return notPkcs12;
  }
  let bags: forge.pkcs12.Bag[];
  try {
    bags = forge.pkcs12.pkcs12FromAsn1(pfx, false, passphrase).safeContents.flatMap(({ safeBags }) => safeBags);
  } catch (error) {
    if (error instanceof TooManyIterations) return tooManyIterations;
    return isWrongPassphrase(pfx, error) ? refused({ passphrase: 'The passphrase does not open the certificate.' }) : notPkcs12;
  }
  try {
    return ownCertificate(bags);
  } catch {
    return refused({ certificate: 'The private key or a certificate of the file cannot be read.' });
  }
}

const refused = (why: Refused): { refused: Refused } => ({ refused: why });
const tooManyIterations = refused({ certificate: 'The passphrase is protected by too many iterations: export the file with fewer.' });
const notPkcs12 = refused({
  certificate: 'Send a PKCS#12 file (.p12, .pfx) that is protected by a passphrase, with AES, 3DES or RC2 and a MAC by SHA-1 or SHA-2.',
});

/** The check value (MAC) of a file tells a wrong passphrase. A file without one has only what the passphrase decrypts, which then is nonsense. */
const isWrongPassphrase = ({ value }: forge.asn1.Asn1, error: unknown): boolean =>
  (error as Error).message.includes('MAC could not be verified') ||
  (Array.isArray(value) && value.length === 2 && value[0]?.type === forge.asn1.Type.INTEGER);

/** The first certificate that has a private key in the file: others are those of its issuers. */
function ownCertificate(bags: forge.pkcs12.Bag[]): ReadCertificate | { refused: Refused } {
  const keys = bags.filter(({ type }) => keyTypes.includes(type)).map(keyOf);
  const certificates = bags.filter(({ type }) => type === oids['certBag']).map(certificateOf);
  if (keys.length === 0) return refused({ certificate: 'The file has no private key: export the certificate together with its key.' });
  if (certificates.length === 0)
    return refused({ certificate: 'The file has no certificate: export the key together with its certificate.' });
  const own = certificates.find((one) => keys.some((key) => one.checkPrivateKey(key)));
  if (!own) return refused({ certificate: 'The private key does not belong to a certificate of the file.' });
  const subject = own.subject.trim().replaceAll('\n', ', ');
  const { serialNumber: serial } = own;
  const expiresAt = own.validToDate.getTime();
  if (subject.length > LONGEST_SUBJECT || serial.length > LONGEST_SERIAL || !Number.isFinite(expiresAt))
    return refused({ certificate: 'The subject or serial number of the certificate is too long, or its date cannot be read.' });
  return { subject, serial, expiresAt, fingerprint: own.fingerprint256.replaceAll(':', '').toLowerCase() };
}

const { oids } = forge.pki;
const keyTypes = [oids['keyBag'], oids['pkcs8ShroudedKeyBag']] as (string | undefined)[];

// A bag has an RSA key where it has no ASN.1. It has no certificate: the library finds no public key in a bit string.
const keyOf = ({ key, asn1 }: forge.pkcs12.Bag): KeyObject =>
  createPrivateKey({ key: derOf(key ? forge.pki.wrapRsaPrivateKey(forge.pki.privateKeyToAsn1(key)) : asn1), format: 'der', type: 'pkcs8' });
const certificateOf = ({ asn1 }: forge.pkcs12.Bag): X509Certificate => new X509Certificate(derOf(asn1));
const derOf = (asn1: forge.asn1.Asn1): Buffer => Buffer.from(forge.asn1.toDer(asn1).getBytes(), 'latin1');
