import { newTotpSecret, otpauthUrl, stepOf } from './totp.ts';

/** The secret of RFC 6238, appendix B: the ASCII text 12345678901234567890. */
const SECRET = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ';

test.each([
  [59, '287082'],
  [1_111_111_109, '081804'],
  [1_234_567_890, '005924'],
  [20_000_000_000, '353130'],
])('at %i s the code of RFC 6238 is taken', (seconds, code) => {
  expect(stepOf(SECRET, code, { now: seconds * 1_000, taken: 0 })).toBe(Math.floor(seconds / 30));
});

test('a code of the steps beside it is taken, one further away is not', () => {
  const at = (seconds: number) => stepOf(SECRET, '287082', { now: seconds * 1_000, taken: 0 });
  expect([at(30), at(60), at(89), at(90)]).toEqual([1, 1, 1, undefined]);
});

test('a step that was taken is taken no more', () => {
  expect(stepOf(SECRET, '287082', { now: 59_000, taken: 1 })).toBeUndefined();
});

test('a secret has 160 bits, and its URL names issuer and e-mail', () => {
  const secret = newTotpSecret();
  expect(secret).toMatch(/^[A-Z2-7]{32}$/);
  const url = new URL(otpauthUrl(secret, { issuer: 'Invoicing', email: 'a+b@example.com' }));
  expect([url.host, decodeURIComponent(url.pathname), url.searchParams.get('secret')]).toEqual([
    'totp',
    '/Invoicing:a+b@example.com',
    secret,
  ]);
});
