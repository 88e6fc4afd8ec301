import { redacted } from './redacted.ts';

test.each([
  ['a value', 'got: key-of-the-shop!', ['key-of-the-shop'], 'got: [header]!'],
  ['each time', 'key-of-the-shop key-of-the-shop', ['key-of-the-shop'], '[header] [header]'],
  ['the token alone', 'unknown token abcdefgh12345678', ['Bearer abcdefgh12345678'], 'unknown token [header]'],
  ['the whole value before its words', '"Bearer abcdefgh12345678"', ['Bearer abcdefgh12345678'], '"[header]"'],
  ['several values', 'first-value second-value', ['second-value', 'first-value'], '[header] [header]'],
  ['a value within another', 'abcdefghijkl abcdefgh', ['abcdefgh', 'abcdefghijkl'], '[header] [header]'],
  ['what is too short to be a secret', 'yes, it is 1', ['yes', '1', 'is'], 'yes, it is 1'],
  ['the beginning of a value where the text was cut', 'x key-of-the-s', ['key-of-the-shop'], 'x [header]'],
  ['the longest such beginning', 'aaaaaaaaa', ['aaaaaaaaaaaa'], '[header]'],
  ['a beginning that is no end', 'key-of-the-store', ['key-of-the-shop'], 'key-of-the-store'],
  ['nothing', 'ok', [], 'ok'],
])('%s', (_what, text, values, shown) => {
  expect(redacted(text, values)).toBe(shown);
  expect(shown.length).toBeLessThanOrEqual(text.length);
});
