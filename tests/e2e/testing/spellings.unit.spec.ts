import { createHash } from 'node:crypto';
import { spelledIn } from './spellings.ts';

const secret = `whsec_${createHash('sha256').update('a key').digest('base64')}`;
const value = 'Bearer "a+b/c" ü?';
const key = Buffer.from(secret.slice('whsec_'.length), 'base64');

test.each<readonly [string, string | Buffer]>([
  ['as it is', `{"authorization":"${value}"}`],
  ['in a URL', `?token=${encodeURIComponent(value)}`],
  ['in JSON', JSON.stringify({ value })],
  ['in hex', Buffer.from(`x${value}y`).toString('hex')],
  ...['', 'x', 'xy', 'xyz'].map(
    (before) => [`in base64 behind ${before.length} bytes`, Buffer.from(`${before}${value}?`).toString('base64')] as const,
  ),
  ['in base64url', Buffer.from(`{"value":"${value}~~"}`).toString('base64url')],
  ['in UTF-16', Buffer.from(`x${value}`, 'utf16le')],
])('a value is found %s', (_, bytes) => {
  expect(spelledIn(bytes, [value, 'another value'])).toEqual([value]);
});

test.each<readonly [string, string | Buffer]>([
  ['without its prefix', secret.slice('whsec_'.length)],
  ['as bytes', Buffer.concat([Buffer.from('x'), key])],
  ['as hex of its bytes', key.toString('hex')],
  ['as base64url', key.toString('base64url')],
])('a webhook secret is found %s', (_, bytes) => {
  expect(spelledIn(bytes, [secret])).toEqual([secret]);
});
