import { createHmac, hash, randomBytes, timingSafeEqual } from 'node:crypto';

const STEP_MS = 30_000;
/** Clocks may differ by so many steps. */
const SKEW = 1;
/** 160 bits, as RFC 4226 recommends. */
const SECRET_BYTES = 20;
const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** A new secret for time-based one-time passwords (RFC 6238 with SHA-1, 6 digits and 30 s), in base32 (RFC 4648). */
export const newTotpSecret = (): string => toBase32(randomBytes(SECRET_BYTES));

/** The URL that authenticators read as a QR code. */
export const otpauthUrl = (secret: string, { issuer, email }: { issuer: string; email: string }): string =>
  `otpauth://totp/${encodeURIComponent(`${issuer}:${email}`)}?secret=${secret}&issuer=${encodeURIComponent(issuer)}&algorithm=SHA1&digits=6&period=30`;

/** The step whose code this is, of those after `taken` that a clock may be at; undefined: none. `now`: milliseconds since 1970. */
export function stepOf(secret: string, code: string, { now, taken }: { now: number; taken: number }): number | undefined {
  const present = Math.floor(now / STEP_MS);
  let found: number | undefined;
  // All are computed, whichever it is.
  for (let step = present - SKEW; step <= present + SKEW; step += 1) if (isSame(codeAt(secret, step), code) && step > taken) found ??= step;
  return found;
}

function codeAt(secret: string, step: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const digest = createHmac('sha1', fromBase32(secret)).update(counter).digest();
  const at = (digest[19] as number) & 15;
  return String((digest.readUInt32BE(at) & 0x7fffffff) % 1_000_000).padStart(6, '0');
}

/** Compares in constant time. */
const isSame = (one: string, other: string): boolean => timingSafeEqual(hash('sha256', one, 'buffer'), hash('sha256', other, 'buffer'));

function toBase32(bytes: Uint8Array): string {
  let bits = '';
  for (const byte of bytes) bits += byte.toString(2).padStart(8, '0');
  return (bits.match(/.{5}/g) ?? []).map((five) => LETTERS.charAt(Number.parseInt(five, 2))).join('');
}

function fromBase32(text: string): Buffer {
  let bits = '';
  for (const letter of text) bits += LETTERS.indexOf(letter).toString(2).padStart(5, '0');
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
}
