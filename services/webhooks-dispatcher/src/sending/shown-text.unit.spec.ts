import { shownText } from './shown-text.ts';

const bytes = (text: string): number => Buffer.byteLength(text);

test.each([
  ['nothing', '', ''],
  ['text', '{"ok": true}\n', '{"ok": true}\n'],
  ['markup, which pages escape', '<b>no</b>', '<b>no</b>'],
  ['control characters', 'a\u0000\u0007\u001b[31mb\u009bc\td\r\n', 'a[31mbc\td\r\n'],
  ['characters that turn the direction', 'a\u202eb\u2066c', 'abc'],
])('%s', (_what, answer, shown) => {
  expect(shownText(Buffer.from(answer))).toBe(shown);
});

test.each(['x', 'ü', '€', '😀'])('at most 1,024 bytes of whole characters: %s', (character) => {
  const shown = shownText(Buffer.from(`-${character.repeat(2_000)}`));
  expect(bytes(shown)).toBeGreaterThan(1_020);
  expect(bytes(shown)).toBeLessThanOrEqual(1_024);
  expect(shown.slice(1).replaceAll(character, '')).toBe('');
});

test('bytes that are no text are shown as such, within the same bound', () => {
  const shown = shownText(Buffer.alloc(1_024, 0xff));
  expect([bytes(shown), shown]).toEqual([1_023, '\ufffd'.repeat(341)]);
});
