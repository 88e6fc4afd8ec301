import { FakeClock } from '@svc/kernel';
import { newKeyRing, parseKeyRing } from '../secrets/key-ring.ts';
import { signedLinks } from './signed-links.ts';

const publicUrl = 'https://api.example.com';
const path = '/files/documents.';
const clock = new FakeClock();
const ring = newKeyRing();
const linksOf = (text: string, purpose = 'links of files') =>
  signedLinks<typeof named>({ secrets: parseKeyRing(text), publicUrl, clock }, { path, purpose });
const named: [string, string, string, string, { from: string }] = ['csv', 'tax', 'test', 'acct_1', { from: '2026-01-01' }];
const links = linksOf(ring);

const tokenOf = ({ url }: { url: string }): string => url.slice(`${publicUrl}${path}`.length);
const notFound = expect.objectContaining({ code: 'not_found' });

test('a link opens what it was made for, in any replica, also after a new key was added', () => {
  const { url, ...file } = links.linkTo(...named);
  expect(file).toEqual({ object: 'file', expires_at: new Date(clock.now() + 15 * 60_000).toISOString() });
  for (const other of [links, linksOf(ring), linksOf(`${newKeyRing().replace('v1', 'v2')},${ring}`)])
    expect(other.opened(tokenOf({ url }))).toEqual(named);
});

test('it opens for 15 minutes', async () => {
  const token = tokenOf(links.linkTo(...named));
  await clock.advance(15 * 60_000 - 1);
  expect(links.opened(token)).toEqual(named);
  await clock.advance(1);
  expect(() => links.opened(token)).toThrow(notFound);
});

test('one that was made by a clock that was ahead opens no longer than for 15 minutes once the clock is set back', () => {
  const ahead = { now: () => clock.now() + 3_600_000 };
  const { linkTo } = signedLinks<typeof named>(
    { secrets: parseKeyRing(ring), publicUrl, clock: ahead },
    { path, purpose: 'links of files' },
  );
  expect(() => links.opened(tokenOf(linkTo(...named)))).toThrow(notFound);
});

test.each([
  ['another environment', 2, 'live'],
  ['another account', 3, 'acct_2'],
  ['another question', 4, {}],
  ['a later end', 5, 9e15],
])('a link that is changed to %s does not open', (_, at, value) => {
  const [claims = '', signature] = tokenOf(links.linkTo(...named)).split('.');
  const forged = (JSON.parse(Buffer.from(claims, 'base64url').toString()) as unknown[]).with(at, value);
  expect(() => links.opened(`${Buffer.from(JSON.stringify(forged)).toString('base64url')}.${signature}`)).toThrow(notFound);
});

test.each(['', '.', 'a.b', 'a.b.c', '%00', `${'x'.repeat(9_000)}.y`])('%.20s is no link', (token) => {
  expect(() => links.opened(token)).toThrow(notFound);
});

test('a link of another key, of another purpose, or with a signature that is cut, does not open', () => {
  const token = tokenOf(links.linkTo(...named));
  expect(() => linksOf(newKeyRing()).opened(token)).toThrow(notFound);
  expect(() => linksOf(ring, 'links of reports').opened(token)).toThrow(notFound);
  expect(() => links.opened(token.slice(0, -1))).toThrow(notFound);
  expect(() => links.opened(`${token}A`)).toThrow(notFound);
});
