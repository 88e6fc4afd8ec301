import { createPublicKey, sign, type KeyObject } from 'node:crypto';
import { dateOf, iso, millisOf } from '@svc/kernel';
import forge from 'node-forge';
import { nameOf } from './certificate.ts';
import { derivedKey } from './derived-key.ts';

export interface Subject {
  /** Country, two letters. */
  country: string;
  name: string;
  /** Tax id, in the attribute serialNumber. */
  taxId?: string;
}

export interface Issue {
  subject: Subject;
  /** Of the subject, public or private. */
  key: KeyObject;
  /** Hex. */
  serial: string;
  /** Milliseconds since 1970. */
  from: number;
  to: number;
  /** DNS names and IP addresses of a server. */
  hosts?: readonly string[];
}

/** A certification authority for tests. */
export interface TestAuthority {
  /** Its distinguished name. */
  name: string;
  key: KeyObject;
  /** PEM: what trusts it needs. */
  certificate: string;
  /** PEM. */
  issue(issue: Issue): string;
}

const BEGIN = millisOf('2019-01-01');
const END = millisOf('2049-12-31');

/** The keys that are published, by their texts: of the authorities, and of what they sign with. */
const keys = new Map<string, KeyObject>();
export function publishedKey(of: 'certification authority' | 'answers'): KeyObject {
  const known = keys.get(of);
  if (known) return known;
  const made = derivedKey(`tax authority simulator, ${of}, test key 1`);
  keys.set(of, made);
  return made;
}

const made = new Map<string, TestAuthority>();
/** The authority of a country. Its certificate is the same in every process. */
export function testAuthority(country: string): TestAuthority {
  const known = made.get(country);
  if (known) return known;
  const authority = newAuthority(country);
  made.set(country, authority);
  return authority;
}

function newAuthority(country: string): TestAuthority {
  const key = publishedKey('certification authority');
  const subject = { country, name: `Test certification authority ${country}` };
  const own = certificateOf({ subject, key, serial: '01', from: BEGIN, to: END });
  own.setIssuer(own.subject.attributes);
  own.setExtensions([
    { name: 'basicConstraints', cA: true, critical: true },
    { name: 'keyUsage', keyCertSign: true, cRLSign: true, critical: true },
  ]);
  signed(own, key);
  return {
    name: nameOf(own.subject),
    key: createPublicKey(key),
    certificate: forge.pki.certificateToPem(own),
    issue(issue) {
      const certificate = certificateOf(issue);
      certificate.setIssuer(own.subject.attributes);
      certificate.setExtensions([
        { name: 'basicConstraints', cA: false, critical: true },
        { name: 'keyUsage', digitalSignature: true, nonRepudiation: true, keyEncipherment: true, critical: true },
        ...(issue.hosts ? [{ name: 'subjectAltName', altNames: issue.hosts.map(altNameOf) }] : []),
      ]);
      signed(certificate, key);
      return forge.pki.certificateToPem(certificate);
    },
  };
}

/** Signs by node:crypto: the library's own arithmetic takes a hundred times as long. */
function signed(certificate: forge.pki.Certificate, key: KeyObject): void {
  const tbs = (): Buffer => Buffer.from(forge.asn1.toDer((certificate as unknown as Signable).tbsCertificate).getBytes(), 'latin1');
  const signer = { sign: () => sign('sha256', tbs(), key).toString('latin1') };
  certificate.sign(signer as unknown as forge.pki.rsa.PrivateKey, forge.md.sha256.create());
}
interface Signable {
  tbsCertificate: forge.asn1.Asn1;
}

function certificateOf({ subject, key, serial, from, to }: Issue): forge.pki.Certificate {
  const certificate = forge.pki.createCertificate();
  certificate.publicKey = forge.pki.publicKeyFromPem(publicOf(key).export({ type: 'spki', format: 'pem' }) as string);
  certificate.serialNumber = serial;
  certificate.validity.notBefore = dateOf(iso(from));
  certificate.validity.notAfter = dateOf(iso(to));
  certificate.setSubject([
    { name: 'countryName', value: subject.country },
    { name: 'organizationName', value: 'Test only' },
    { name: 'commonName', value: subject.name },
    ...(subject.taxId === undefined ? [] : [{ name: 'serialNumber', value: subject.taxId }]),
  ]);
  return certificate;
}

export const forgeKey = (key: KeyObject): forge.pki.rsa.PrivateKey =>
  forge.pki.privateKeyFromPem(key.export({ type: 'pkcs1', format: 'pem' }) as string) as forge.pki.rsa.PrivateKey;
const publicOf = (key: KeyObject): KeyObject => (key.type === 'public' ? key : createPublicKey(key));
const altNameOf = (host: string): object => (/^[\d.]+$|:/.test(host) ? { type: 7, ip: host } : { type: 2, value: host });
