import { createPublicKey, verify, type KeyObject } from 'node:crypto';
import forge from 'node-forge';

/** What is read from an X.509 certificate. */
export interface Certificate {
  der: Buffer;
  /** Values of the subject, by the names of its attributes. */
  subject: { name: string; value: string }[];
  issuer: string;
  /** Lower-case hex. */
  serial: string;
  /** Milliseconds since 1970. */
  from: number;
  to: number;
  key: KeyObject;
}

const MOST_BYTES = 8_192;
const SHA256_RSA = '1.2.840.113549.1.1.11';

/**
 * Reads a certificate with an RSA key of 2,048 to 4,096 bits and the exponent 65537. Returns undefined for all others: what others send is
 * parsed in JavaScript, and OpenSSL gets numbers of these sizes only.
 */
export function readCertificate(der: Buffer): Certificate | undefined {
  if (der.length > MOST_BYTES) return undefined;
  try {
    const certificate = parsed(der);
    const { n, e } = certificate.publicKey as forge.pki.rsa.PublicKey;
    const bits = n.bitLength();
    if (bits < 2_048 || bits > 4_096 || e.toString(10) !== '65537') return undefined;
    return {
      der,
      subject: certificate.subject.attributes.map(({ name, type, value }) => ({ name: name ?? String(type), value: String(value) })),
      issuer: nameOf(certificate.issuer),
      serial: certificate.serialNumber.toLowerCase(),
      from: certificate.validity.notBefore.getTime(),
      to: certificate.validity.notAfter.getTime(),
      key: createPublicKey({ key: { kty: 'RSA', n: base64url(n.toString(16)), e: 'AQAB' }, format: 'jwk' }),
    };
  } catch {
    return undefined;
  }
}

/** Whether the authority with this name and key signed the certificate, by RSA with SHA-256. */
export function isIssuedBy({ der, issuer }: Certificate, authority: { name: string; key: KeyObject }): boolean {
  const certificate = parsed(der);
  if (issuer !== authority.name || certificate.siginfo.algorithmOid !== SHA256_RSA) return false;
  const signed = Buffer.from(
    forge.asn1.toDer((certificate as unknown as { tbsCertificate: forge.asn1.Asn1 }).tbsCertificate).getBytes(),
    'latin1',
  );
  return verify('sha256', signed, authority.key, Buffer.from(certificate.signature as string, 'latin1'));
}

/** A distinguished name as a text: `CN=Test CA, O=Test only`. */
export const nameOf = ({ attributes }: { attributes: forge.pki.CertificateField[] }): string =>
  attributes.map(({ shortName, name, value }) => `${shortName ?? name}=${String(value)}`).join(', ');

const parsed = (der: Buffer): forge.pki.Certificate =>
  forge.pki.certificateFromAsn1(forge.asn1.fromDer(forge.util.createBuffer(der.toString('latin1'))));
const base64url = (hex: string): string => Buffer.from(hex.padStart(hex.length + (hex.length % 2), '0'), 'hex').toString('base64url');
