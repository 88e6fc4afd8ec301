import { FakeClock } from '@svc/kernel';
import { newKeyRing, parseKeyRing } from '@svc/service';
import { createLinks, FILES_PATH, type FileRef } from './links.ts';

const publicUrl = 'https://api.example.com';
const clock = new FakeClock();
const ring = newKeyRing();
const linksOf = (text: string) => createLinks({ secrets: parseKeyRing(text), publicUrl, clock });
const links = linksOf(ring);
const ref: FileRef = { format: 'ubl', kind: 'invoice', env: 'test', account: 'acct_1', id: 'inv_1' };

const tokenOf = (url: string): string => url.slice(`${publicUrl}${FILES_PATH}`.length);
const notFound = expect.objectContaining({ code: 'not_found' });

test('a link opens what it was made for, in any replica, also after a new key was added', () => {
  const { url, ...file } = links.linkTo(ref);
  expect(file).toEqual({ object: 'file', expires_at: new Date(clock.now() + 15 * 60_000).toISOString() });
  for (const other of [links, linksOf(ring), linksOf(`${newKeyRing().replace('v1', 'v2')},${ring}`)])
    expect(other.opened(tokenOf(url))).toEqual(ref);
});

test('it opens for 15 minutes', async () => {
  const token = tokenOf(links.linkTo(ref).url);
  await clock.advance(15 * 60_000 - 1);
  expect(links.opened(token)).toEqual(ref);
  await clock.advance(1);
  expect(() => links.opened(token)).toThrow(notFound);
});

test.each([
  ['another account', { account: 'acct_2' }],
  ['another environment', { env: 'live' }],
  ['another document', { id: 'inv_2' }],
  ['a later end', { expires: 9e15 }],
])('a link that is changed to %s does not open', (_, change) => {
  const [claims = '', signature] = tokenOf(links.linkTo(ref).url).split('.');
  const [format, kind, env, account, id, expires] = JSON.parse(Buffer.from(claims, 'base64url').toString()) as unknown[];
  const { env: e, account: a, id: i, expires: x } = { env, account, id, expires, ...change };
  const forged = Buffer.from(JSON.stringify([format, kind, e, a, i, x])).toString('base64url');
  expect(() => links.opened(`${forged}.${signature}`)).toThrow(notFound);
});

test.each(['', '.', 'a.b', 'a.b.c', '%00', `${'x'.repeat(9_000)}.y`])('%.20s is no link', (token) => {
  expect(() => links.opened(token)).toThrow(notFound);
});

test('a link of another key, or with a signature that is cut or of another purpose, does not open', () => {
  const token = tokenOf(links.linkTo(ref).url);
  const [claims = ''] = token.split('.');
  expect(() => linksOf(newKeyRing()).opened(token)).toThrow(notFound);
  expect(() => links.opened(token.slice(0, -1))).toThrow(notFound);
  expect(() => links.opened(`${token}A`)).toThrow(notFound);
  expect(() => links.opened(`${claims}.${parseKeyRing(ring).sign('another purpose', claims)}`)).toThrow(notFound);
});
