import { envOfKeyValue, newKeyValue } from './key-format.ts';

test('a value has its environment and 38 base62 characters, and is unique', () => {
  const made = Array.from({ length: 500 }, () => newKeyValue('test'));
  expect(new Set(made).size).toBe(500);
  for (const value of made) expect(value).toMatch(/^svc_test_[0-9A-Za-z]{38}$/);
  expect(newKeyValue('live')).toMatch(/^svc_live_/);
  expect([envOfKeyValue(newKeyValue('live')), envOfKeyValue(newKeyValue('test'))]).toEqual(['live', 'test']);
});

test('a mistyped value is detected without a look-up: one changed character, another length, another environment', () => {
  const value = newKeyValue('test');
  for (let at = 9; at < value.length; at += 1) {
    const other = value[at] === 'a' ? 'b' : 'a';
    expect(envOfKeyValue(value.slice(0, at) + other + value.slice(at + 1))).toBeUndefined();
  }
  for (const wrong of [
    value.slice(0, -1),
    `${value}x`,
    value.replace('test', 'live'),
    value.toUpperCase(),
    value.slice(4),
    `svc_test_${'0'.repeat(38)}`,
    '',
    `${value}\n`,
  ]) {
    expect(envOfKeyValue(wrong)).toBeUndefined();
  }
});
