import { createPrivateKey, type JsonWebKey, type KeyObject, randomBytes, sign, verify, type X509Certificate } from 'node:crypto';

/** Of a prime and what belongs to it, beyond half of the modulus. */
const SLACK_BYTES = 8;

/**
 * Whether the key signs for the certificate, and in the time that any key of its size takes: numbers of RSA that do not fit together take ten times as long. Throws
 * where it cannot sign at all.
 */
export function signsFor({ publicKey }: Pick<X509Certificate, 'publicKey'>, key: KeyObject): boolean {
  const text = randomBytes(32);
  const tried = key.asymmetricKeyType === 'rsa' ? ofPrimesAlone(key.export({ format: 'jwk' })) : key;
  return tried !== undefined && verify('sha256', text, publicKey, sign('sha256', text, tried));
}

/** The key with which only its primes give a signature: OpenSSL tries them, and takes the long way by `d` where they do not fit. Undefined: they are too long. */
function ofPrimesAlone(jwk: JsonWebKey): KeyObject | undefined {
  const most = bytesOf(jwk.n) / 2 + SLACK_BYTES;
  if ([jwk.p, jwk.q, jwk.dp, jwk.dq, jwk.qi].some((number) => bytesOf(number) > most)) return undefined;
  return createPrivateKey({ key: { ...jwk, d: 'AQ' }, format: 'jwk' });
}

const bytesOf = (number: string | undefined): number => Buffer.from(number ?? '', 'base64url').length;
