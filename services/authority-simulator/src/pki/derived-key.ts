import { checkPrimeSync, createHash, createPrivateKey, type KeyObject } from 'node:crypto';

const EXPONENT = 65_537n;
const PRIME_BYTES = 128;

/**
 * The RSA-2048 key that belongs to a text: the same in every process, so that it is no secret and needs no file. For test authorities alone,
 * whose signatures prove nothing.
 */
export function derivedKey(text: string): KeyObject {
  const [p, q] = [primeOf(`${text}, first prime`), primeOf(`${text}, second prime`)];
  const d = inverse(EXPONENT, (p - 1n) * (q - 1n));
  const numbers = { n: p * q, e: EXPONENT, d, p, q, dp: d % (p - 1n), dq: d % (q - 1n), qi: inverse(q, p) };
  const fields = Object.fromEntries(Object.entries(numbers).map(([name, value]) => [name, base64url(value)]));
  return createPrivateKey({ key: { kty: 'RSA', ...fields }, format: 'jwk' });
}

/** The first prime from the number that the text is hashed to, with both upper bits set: a product of two has all its bits. */
function primeOf(text: string): bigint {
  const blocks = Array.from({ length: PRIME_BYTES / 32 }, (_, n) => createHash('sha256').update(`${text} ${n}`).digest('hex'));
  let candidate = BigInt(`0x${blocks.join('')}`) | (3n << BigInt(PRIME_BYTES * 8 - 2)) | 1n;
  while ((candidate - 1n) % EXPONENT === 0n || !checkPrimeSync(candidate)) candidate += 2n;
  return candidate;
}

function inverse(value: bigint, modulus: bigint): bigint {
  let [r, next, s, coefficient] = [modulus, value % modulus, 0n, 1n];
  while (next !== 0n) {
    const times = r / next;
    [r, next] = [next, r - times * next];
    [s, coefficient] = [coefficient, s - times * coefficient];
  }
  return ((s % modulus) + modulus) % modulus;
}

function base64url(value: bigint): string {
  const hex = value.toString(16);
  return Buffer.from(hex.padStart(hex.length + (hex.length % 2), '0'), 'hex').toString('base64url');
}
