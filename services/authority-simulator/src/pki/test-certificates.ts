import { generateKeyPair } from 'node:crypto';
import { promisify } from 'node:util';
import forge from 'node-forge';
import { forgeKey, type TestAuthority, type Subject } from './test-authority.ts';

export interface TestCertificate {
  /** PKCS#12, base64. */
  certificate: string;
  passphrase: string;
  /** PEM. */
  certificate_pem: string;
  key_pem: string;
  serial: string;
}

const generate = promisify(generateKeyPair);
/** Few: the passphrase is published, and each one costs time in JavaScript. */
const ITERATIONS = 16;
const DAY = 86_400_000;

/** A certificate of the test authority with a key of its own. `days`: until its end; at most 0 for one that has expired. */
export async function makeCertificate(
  authority: TestAuthority,
  { subject, serial, now, days }: { subject: Subject; serial: string; now: number; days: number },
): Promise<TestCertificate> {
  const { privateKey } = await generate('rsa', { modulusLength: 2_048 });
  const to = now + days * DAY;
  const pem = authority.issue({ subject, key: privateKey, serial, from: Math.min(now, to) - 365 * DAY, to });
  const key = forgeKey(privateKey);
  const passphrase = 'test';
  const bag = forge.pkcs12.toPkcs12Asn1(
    key,
    [forge.pki.certificateFromPem(pem), forge.pki.certificateFromPem(authority.certificate)],
    passphrase,
    {
      algorithm: 'aes256',
      count: ITERATIONS,
    },
  );
  return {
    certificate: Buffer.from(forge.asn1.toDer(bag).getBytes(), 'latin1').toString('base64'),
    passphrase,
    certificate_pem: pem,
    key_pem: privateKey.export({ type: 'pkcs8', format: 'pem' }) as string,
    serial,
  };
}
