import { randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { Env } from '@svc/kernel';

const LETTERS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const SECRET = 32;
const CHECKSUM = 6;
const FORM = /^svc_(live|test)_[0-9A-Za-z]{38}$/;

/** A new value: `svc_test_` or `svc_live_`, 32 random base62 characters, and their CRC-32 with the prefix as 6 base62 characters. */
export function newKeyValue(env: Env): string {
  const body = `svc_${env}_${randomBase62(SECRET)}`;
  return body + checksum(body);
}

/** Whether a value looks like a key; its checksum may be wrong. */
export const hasKeyForm = (value: string): boolean => FORM.test(value);

/** The environment of a value with the form of a key and a correct checksum; else undefined. Needs no look-up. */
export function envOfKeyValue(value: string): Env | undefined {
  if (!hasKeyForm(value) || checksum(value.slice(0, -CHECKSUM)) !== value.slice(-CHECKSUM)) return undefined;
  return value.startsWith('svc_live_') ? 'live' : 'test';
}

/** The first 12 characters, which the interface shows to distinguish keys. */
export const startOfKeyValue = (value: string): string => value.slice(0, 12);

function checksum(text: string): string {
  let rest = crc32(text);
  let digits = '';
  for (let n = 0; n < CHECKSUM; n += 1) {
    digits = LETTERS.charAt(rest % 62) + digits;
    rest = Math.floor(rest / 62);
  }
  return digits;
}

/** 248 is the largest multiple of 62 in a byte. Larger bytes are skipped: with them the letters would not be equally likely. */
function randomBase62(length: number): string {
  let text = '';
  while (text.length < length) {
    for (const byte of randomBytes(length)) if (byte < 248 && text.length < length) text += LETTERS.charAt(byte % 62);
  }
  return text;
}
