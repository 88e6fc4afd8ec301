import { createPrivateKey, pbkdf2Sync, X509Certificate, type KeyObject } from 'node:crypto';
import forge from 'node-forge';
import { checkCertificate, checkPrivateKey, UnboundedKey } from './bounded-keys.ts';
import { signsFor } from './signs-for.ts';

/** A PKCS#12 file in base64, with its passphrase. */
export interface CertificateFile {
  certificate: string;
  passphrase: string;
}

/** The private key of a file (PKCS#8) and its certificate (DER), in base64. */
export interface OpenedFile {
  key: string;
  certificate: string;
}

/** What may be shown of a certificate whose private key is in the file, and both: `opened` is secret. */
export interface ReadCertificate {
  subject: string;
  /** Hex. */
  serial: string;
  /** Milliseconds since 1970, as the end. */
  validFrom: number;
  expiresAt: number;
  /** SHA-256 of the certificate, hex. */
  fingerprint: string;
  opened: OpenedFile;
}

/** A message about a field of the file. */
export type Refused = { [field in keyof CertificateFile]?: string };

/** Of one file, for its MAC and all that it encrypts. PBKDF2 takes one to two seconds for this many. */
const MOST_ITERATIONS = 2_000_000;
/** Of one file: each is compared with each. */
const [MOST_KEYS, MOST_CERTIFICATES] = [4, 20];
const LONGEST_SUBJECT = 2_000;
const LONGEST_SERIAL = 255;

class TooManyIterations extends Error {}

// The library parses what is in bit strings, and in these the next, each a copy, however deep: a file of 64 KiB took 850 MB.
const fromDer = forge.asn1.fromDer as unknown as (bytes: string, options: object) => forge.asn1.Asn1;
const boundedFromDer = (bytes: string, strict = true): forge.asn1.Asn1 =>
  fromDer(bytes, { strict, parseAllBytes: true, decodeBitStrings: false });

let iterationsLeft = MOST_ITERATIONS;
/** Throws before anything is computed. */
function iterate(iterations: number): void {
  if (!(iterations <= iterationsLeft)) throw new TooManyIterations();
  iterationsLeft -= iterations;
}

// The library's own PBKDF2 is in JavaScript, and takes the passphrase for bytes instead of text: it opens no file of OpenSSL with letters beyond
// ASCII, and needs 7 s for one of 600,000 iterations, which now takes 1.1 s.
function boundedPbkdf2(passphrase: string, salt: string, iterations: number, length: number, { algorithm }: { algorithm: string }): string {
  iterate(iterations);
  return pbkdf2Sync(passphrase, Buffer.from(salt, 'latin1'), iterations, length, algorithm).toString('latin1');
}

type DeriveKey = (
  passphrase: string,
  salt: unknown,
  id: number,
  iterations: number,
  length: number,
  md?: forge.md.MessageDigest,
) => unknown;
const { pbe } = forge as unknown as { pbe: { generatePkcs12Key: DeriveKey } };
const derivedKey = pbe.generatePkcs12Key;
const SHA1_BYTES = 20;
/** The keys of the MAC, 3DES and RC2 (RFC 7292, appendix B), with the iterations of each of their parts. */
const boundedKey: DeriveKey = (passphrase, salt, id, iterations, length, md) => {
  iterate(iterations * Math.ceil(length / (md?.digestLength ?? SHA1_BYTES)));
  return derivedKey(passphrase, salt, id, iterations, length, md);
};

/** Runs `work` with the bounded parts in place of the library's own, which the rest of the process has. */
function bounded<T>(work: () => T): T {
  const { pkcs5, pkcs12, asn1 } = forge as unknown as Record<string, Record<string, unknown>>;
  const parts = [
    [asn1, { fromDer: boundedFromDer }],
    [pkcs5, { pbkdf2: boundedPbkdf2 }],
    [pbe, { generatePkcs12Key: boundedKey }],
    [pkcs12, { generateKey: boundedKey }],
  ] as [object, object][];
  const before = parts.map(([library]) => ({ ...library }));
  for (const [library, own] of parts) Object.assign(library, own);
  try {
    iterationsLeft = MOST_ITERATIONS;
    return work();
  } finally {
    parts.forEach(([library], n) => Object.assign(library, before[n]));
  }
}

/** Opens the file, and returns what is wrong with it otherwise. Its author decides how long that takes: it runs in a process of its own. */
export const readPkcs12 = (file: CertificateFile): ReadCertificate | { refused: Refused } => bounded(() => read(file));

function read({ certificate, passphrase }: CertificateFile): ReadCertificate | { refused: Refused } {
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
  } catch (error) {
    if (error instanceof UnboundedKey) return unboundedKey;
    return refused({ certificate: 'The private key or a certificate of the file cannot be read.' });
  }
}

const refused = (why: Refused): { refused: Refused } => ({ refused: why });
const tooManyIterations = refused({ certificate: 'The passphrase is protected by too many iterations: export the file with fewer.' });
const unboundedKey = refused({
  certificate:
    'A key of the file is neither RSA of at most 8,192 bits nor of the curve P-256, P-384, P-521 or brainpoolP256r1, P384r1, P512r1, or a number in it is too long. Use a certificate with such a key, and export it without others.',
});
const notPkcs12 = refused({
  certificate: 'Send a PKCS#12 file (.p12, .pfx) that is protected by a passphrase, with AES, 3DES or RC2 and a MAC by SHA-1 or SHA-2.',
});

/** The check value (MAC) of a file tells a wrong passphrase. A file without one has only what the passphrase decrypts, which then is nonsense. */
const isWrongPassphrase = ({ value }: forge.asn1.Asn1, error: unknown): boolean =>
  (error as Error).message.includes('MAC could not be verified') ||
  (Array.isArray(value) && value.length === 2 && value[0]?.type === forge.asn1.Type.INTEGER);

/** The first certificate that has a private key in the file: others are those of its issuers. */
function ownCertificate(bags: forge.pkcs12.Bag[]): ReadCertificate | { refused: Refused } {
  const keyBags = bags.filter(({ type }) => keyTypes.includes(type));
  const certificateBags = bags.filter(({ type }) => type === oids['certBag']);
  if (keyBags.length > MOST_KEYS || certificateBags.length > MOST_CERTIFICATES)
    return refused({
      certificate: `The file has more than ${MOST_KEYS} keys or ${MOST_CERTIFICATES} certificates: export one key with its certificate.`,
    });
  const keys = keyBags.map(keyOf);
  const certificates = certificateBags.map(certificateOf);
  if (keys.length === 0) return refused({ certificate: 'The file has no private key: export the certificate together with its key.' });
  if (certificates.length === 0)
    return refused({ certificate: 'The file has no certificate: export the key together with its certificate.' });
  const own = certificates.find((one) => keys.some((key) => one.checkPrivateKey(key)));
  const ownKey = own && keys.find((key) => own.checkPrivateKey(key));
  if (!own || !ownKey) return refused({ certificate: 'The private key does not belong to a certificate of the file.' });
  if (!signsFor(own, ownKey))
    return refused({ certificate: 'The private key does not sign for its certificate: its numbers do not fit together.' });
  const subject = own.subject.trim().replaceAll('\n', ', ');
  const { serialNumber: serial } = own;
  const [validFrom, expiresAt] = [own.validFromDate.getTime(), own.validToDate.getTime()];
  if (subject.length > LONGEST_SUBJECT || serial.length > LONGEST_SERIAL || !Number.isFinite(validFrom + expiresAt))
    return refused({ certificate: 'The subject or serial number of the certificate is too long, or its dates cannot be read.' });
  const fingerprint = own.fingerprint256.replaceAll(':', '').toLowerCase();
  const key = ownKey.export({ format: 'der', type: 'pkcs8' }).toString('base64');
  return { subject, serial, validFrom, expiresAt, fingerprint, opened: { key, certificate: own.raw.toString('base64') } };
}

const { oids } = forge.pki;
const keyTypes = [oids['keyBag'], oids['pkcs8ShroudedKeyBag']] as (string | undefined)[];

// A bag has an RSA key where it has no ASN.1. It has no certificate: the library finds no public key in a bit string.
function keyOf({ key, asn1 }: forge.pkcs12.Bag): KeyObject {
  const info = key ? forge.pki.wrapRsaPrivateKey(forge.pki.privateKeyToAsn1(key)) : asn1;
  checkPrivateKey(info);
  return createPrivateKey({ key: derOf(info), format: 'der', type: 'pkcs8' });
}

function certificateOf({ asn1 }: forge.pkcs12.Bag): X509Certificate {
  checkCertificate(asn1);
  return new X509Certificate(derOf(asn1));
}

const derOf = (asn1: forge.asn1.Asn1): Buffer => Buffer.from(forge.asn1.toDer(asn1).getBytes(), 'latin1');
