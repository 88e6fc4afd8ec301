import { createWrongTokens } from './wrong-tokens.ts';

const count = (wrong: ReturnType<typeof createWrongTokens>, address: string, times: number): void => {
  for (let n = 0; n < times; n += 1) wrong.count(address);
};

test('the minute begins with the first wrong token and ends by a clock that cannot be set', () => {
  let at = 1_000;
  const wrong = createWrongTokens(() => at);
  wrong.count('192.0.2.1');
  at += 30_000;
  count(wrong, '192.0.2.1', 8);
  expect(wrong.waitOf('192.0.2.1')).toBeUndefined();
  wrong.count('192.0.2.1');
  expect(wrong.waitOf('192.0.2.1')).toBe(30);
  expect(wrong.waitOf('::ffff:192.0.2.1')).toBe(30);
  expect(wrong.waitOf('192.0.2.2')).toBeUndefined();
  at += 29_999;
  expect(wrong.waitOf('192.0.2.1')).toBe(1);
  at += 1;
  expect(wrong.waitOf('192.0.2.1')).toBeUndefined();
  count(wrong, '192.0.2.1', 9);
  expect(wrong.waitOf('192.0.2.1')).toBeUndefined();
});

test('addresses of one IPv6 network count together', () => {
  const wrong = createWrongTokens(() => 0);
  for (let n = 0; n < 10; n += 1) wrong.count(`2001:db8:1:1::${n}`);
  expect([wrong.waitOf('2001:db8:1:1::ffff'), wrong.waitOf('2001:db8:1:2::1')]).toEqual([60, undefined]);
});

test('at most so many addresses are kept', () => {
  const wrong = createWrongTokens(() => 0, 3);
  for (const n of [1, 2, 3]) count(wrong, `192.0.2.${n}`, 10);
  wrong.count('192.0.2.4');
  expect([1, 2, 3].map((n) => wrong.waitOf(`192.0.2.${n}`))).toEqual([undefined, 60, 60]);
});
