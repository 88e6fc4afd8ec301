import { createPrivateKey, generateKeyPairSync, randomBytes, sign, X509Certificate, type KeyObject } from 'node:crypto';
import forge from 'node-forge';
import type { Signed } from '../../signing/signer.ts';

export interface Certified {
  key: KeyObject;
  pem: string;
  sign(text: string): Signed;
}

interface Subject {
  name: string;
  serialNumber?: string;
  isAuthority?: boolean;
  /** Of a server. */
  host?: string;
  from?: Date;
  until?: Date;
  /** Of a key of its own. */
  bits?: number;
}

const pair = (modulusLength = 2048) => generateKeyPairSync('rsa', { modulusLength }).privateKey;
let shared: KeyObject | undefined;

/** An RSA key with a certificate, issued by `issuer` or by itself. An authority's key is its own, all others have one: making them takes time. */
export function certified({ name, serialNumber, isAuthority = false, host, from, until, bits }: Subject, issuer?: Certified): Certified {
  const privateKey = isAuthority || bits ? pair(bits) : (shared ??= pair());
  const pemKey = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  const own = forge.pki.privateKeyFromPem(pemKey);
  const certificate = forge.pki.createCertificate();
  certificate.publicKey = forge.pki.setRsaPublicKey(own.n, own.e);
  certificate.serialNumber = `01${randomBytes(8).toString('hex')}`;
  certificate.validity.notBefore = from ?? new Date('2019-01-01');
  certificate.validity.notAfter = until ?? new Date('2049-12-31');
  const subject = [{ name: 'commonName', value: name }, ...(serialNumber === undefined ? [] : [{ type: '2.5.4.5', value: serialNumber }])];
  certificate.setSubject(subject);
  certificate.setIssuer(issuer ? forge.pki.certificateFromPem(issuer.pem).subject.attributes : subject);
  const alternative = host === undefined ? [] : [{ name: 'subjectAltName', altNames: [{ type: 2, value: host }] }];
  certificate.setExtensions([{ name: 'basicConstraints', cA: isAuthority, critical: true }, ...alternative]);
  signWith(certificate, issuer?.key ?? privateKey);
  const pem = forge.pki.certificateToPem(certificate);
  const key = createPrivateKey(pemKey);
  const der = new X509Certificate(pem).raw.toString('base64');
  return { key, pem, sign: (text) => ({ signature: sign('sha256', Buffer.from(text), key), certificate: der }) };
}

/** As the library signs, whose own arithmetic takes seconds. */
function signWith(certificate: forge.pki.Certificate, key: KeyObject): void {
  const { oids, getTBSCertificate } = forge.pki as unknown as {
    oids: Record<string, string>;
    getTBSCertificate: (of: object) => forge.asn1.Asn1;
  };
  const algorithm = oids['sha256WithRSAEncryption'] ?? '';
  const signed = certificate as unknown as {
    signatureOid: string;
    siginfo: { algorithmOid: string };
    tbsCertificate: forge.asn1.Asn1;
    signature: string;
  };
  signed.signatureOid = algorithm;
  signed.siginfo.algorithmOid = algorithm;
  signed.tbsCertificate = getTBSCertificate(certificate);
  const der = Buffer.from(forge.asn1.toDer(signed.tbsCertificate).getBytes(), 'latin1');
  signed.signature = sign('sha256', der, key).toString('latin1');
}
