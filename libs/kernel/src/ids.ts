import type { Clock } from './clock.ts';

/** A UUIDv7 as 26 lower-case Crockford base32 characters. Sorts by time. */
export type Uid = string;

export type RandomBytes = (size: number) => Uint8Array;

const webCrypto: RandomBytes = (size) => globalThis.crypto.getRandomValues(new Uint8Array(size));

/** UUIDv7 (RFC 9562, 5.7; monotonic by method 2 of 6.2: a random start in each millisecond, then counted up in rand_a and the top of rand_b). */
export function createIds(clock: Pick<Clock, 'now'>, random: RandomBytes = webCrypto) {
  let time = 0;
  let counter = 0; // 28 bits: 12 of rand_a, 16 of rand_b
  let pool = new Uint8Array(0);
  let used = 0;
  const take = (size: number): Uint8Array => {
    if (used + size > pool.length) {
      pool = Uint8Array.from(random(1024));
      used = 0;
    }
    used += size;
    return pool.subarray(used - size, used);
  };
  return {
    /** A new UUIDv7. Within a process each is greater than the one before, even when the clock stands still or goes back. */
    next(): Uid {
      const now = clock.now();
      if (now > time) {
        time = now;
        const [a = 0, b = 0, c = 0] = take(3);
        counter = ((a << 16) | (b << 8) | c) & 0x7ffffff;
      } else {
        counter += 1;
        if (counter > 0xfffffff) {
          time += 1;
          counter = 0;
        }
      }
      return toBase32(layOut(time, counter, take(6)));
    },
  };
}

export type Ids = ReturnType<typeof createIds>;

function layOut(time: number, counter: number, tail: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(16);
  bytes[0] = time / 2 ** 40;
  bytes[1] = time / 2 ** 32;
  bytes[2] = time / 2 ** 24;
  bytes[3] = time / 2 ** 16;
  bytes[4] = time / 2 ** 8;
  bytes[5] = time;
  bytes[6] = 0x70 | (counter >>> 24);
  bytes[7] = counter >>> 16;
  bytes[8] = 0x80 | ((counter >>> 10) & 0x3f);
  bytes[9] = counter >>> 2;
  bytes.set(tail, 10);
  bytes[10] = ((counter & 3) << 6) | ((tail[0] ?? 0) & 0x3f);
  return bytes;
}

/** The time in a UUIDv7, in milliseconds since 1970. */
export function timeOf(uid: Uid): number {
  let time = 0;
  // Behind the end of a shorter text there are zeros, as in `bytesFromBase32`.
  for (let at = 0; at < TIME_LENGTH; at += 1) time = time * 32 + (at < uid.length ? valueOf(uid.charCodeAt(at)) : 0);
  return time;
}

/** What sorts before every UUIDv7 of this time (milliseconds since 1970) and later ones, and behind all earlier ones. */
export const firstUidAt = (time: number): Uid => toBase32(layOut(time, 0, new Uint8Array(6))).slice(0, TIME_LENGTH);

/** An id with the time part of `uid` and the rest from `digest` (≥ 10 bytes). A repeated command so derives the same ids. */
export function derivedUid(uid: Uid, digest: Uint8Array): Uid {
  const bytes = new Uint8Array(16);
  for (let n = 0; n < 10; n += 1) bytes[6 + n] = digest[n] ?? 0;
  bytes[6] = 0x70 | ((bytes[6] ?? 0) & 0x0f);
  bytes[8] = 0x80 | ((bytes[8] ?? 0) & 0x3f);
  return uid.slice(0, TIME_LENGTH) + toBase32(bytes).slice(TIME_LENGTH);
}

/** `8-4-4-4-12` hex, the form of ids in EventStoreDB. */
export function toUuid(uid: Uid): string {
  const hex = Buffer.from(bytesFromBase32(uid)).toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

export function fromUuid(uuid: string): Uid {
  const hex = uuid.replaceAll('-', '');
  return toBase32(Uint8Array.from({ length: 16 }, (_, n) => Number.parseInt(hex.slice(n * 2, n * 2 + 2), 16)));
}

/** Prefixes of public ids. */
export const prefixes = [
  'inv',
  'rcp',
  'cust',
  'prod',
  'pay',
  'evt',
  'req',
  'we',
  'whd',
  'key',
  'acct',
  'mem',
  'iss',
  'usr',
  'ses',
  'exp',
  'sub',
] as const;
export type Prefix = (typeof prefixes)[number];

export const prefixed = (prefix: Prefix, uid: Uid): string => `${prefix}_${uid}`;

/** The 26 characters after the prefix; undefined when `id` does not have this prefix or form. */
export function uidOf(prefix: Prefix, id: string): Uid | undefined {
  if (!id.startsWith(prefix) || id[prefix.length] !== '_') return undefined;
  const uid = id.slice(prefix.length + 1);
  return /^[0-7][0-9a-hjkmnp-tv-z]{25}$/.test(uid) ? uid : undefined;
}

const LETTERS = '0123456789abcdefghjkmnpqrstvwxyz';
/** Of a UUIDv7: its 48 bits of time are the first ten characters, and no part of an eleventh. */
const TIME_LENGTH = 10;
const CODES = Uint8Array.from(LETTERS, (character) => character.charCodeAt(0));
/** By the code of the character. */
const VALUES = new Int8Array(128).fill(-1);
CODES.forEach((code, value) => (VALUES[code] = value));

function valueOf(code: number): number {
  const value = VALUES[code] ?? -1;
  if (value < 0) throw new RangeError('not base32');
  return value;
}

/** One text at a time is made. */
const made = new Array<number>(26).fill(0);

/** 16 bytes as 26 characters of Crockford's base32, lower case, big-endian: sorts as the bytes do. */
export function toBase32(bytes: Uint8Array): string {
  let [bits, length] = [0, 0];
  let rest = 2; // 130 bits of text for 128 of value: two leading zeros
  for (const byte of bytes) {
    bits = (bits << 8) | byte;
    rest += 8;
    while (rest >= 5) {
      rest -= 5;
      made[length] = CODES[(bits >>> rest) & 31] as number;
      length += 1;
    }
    bits &= (1 << rest) - 1;
  }
  return String.fromCharCode(...made);
}

/** The 16 bytes of 26 characters. Throws `RangeError` on a character that is not base32. */
export function bytesFromBase32(text: string): Uint8Array {
  const bytes = new Uint8Array(16);
  let bits = 0;
  let held = -2;
  let at = 0;
  for (let n = 0; n < text.length; n += 1) {
    bits = ((bits << 5) | valueOf(text.charCodeAt(n))) & 0xffff;
    held += 5;
    if (held >= 8) {
      held -= 8;
      bytes[at++] = (bits >>> held) & 255;
    }
  }
  return bytes;
}
