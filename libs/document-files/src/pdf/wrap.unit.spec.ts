import { wrapAny } from './wrap.ts';

/** Every code unit is as wide as any other. */
const lines = (text: string, width: number): string[] => wrapAny(text, width, (part) => part.length);

test.each<[string, string, number, string[]]>([
  ['at spaces', 'один два три', 8, ['один два', 'три']],
  ['after hyphens', 'кое-что-то', 5, ['кое-', 'что-', 'то']],
  ['between Han characters, not before their punctuation', '示例有限公司，。', 6, ['示例有限公', '司，。']],
  ['not at a space without break', 'аб\u00a0вг де', 6, ['аб\u00a0вг', 'де']],
  ['at words of scripts without spaces', 'ภาษาไทยไม่มีช่องว่าง', 8, ['ภาษาไทย', 'ไม่มี', 'ช่องว่าง']],
  ['at separators of older texts', 'чай\u2028зеленый', 20, ['чай зеленый']],
  ['between clusters where nothing else is', `й${'\u0301'.repeat(3)}`.repeat(3), 4, Array(3).fill(`й${'\u0301'.repeat(3)}`)],
  ['a cluster that is wider than a line', `й${'\u0301'.repeat(9)}я`, 4, [`й${'\u0301'.repeat(9)}`, 'я']],
  ['never to no line', '', 4, ['']],
])('a line breaks %s', (_, text, width, expected) => expect(lines(text, width)).toEqual(expected));

test('each line of a paragraph says how the paragraph is read', () => {
  expect(lines('Co אב גד', 5)).toEqual(['\u200eCo אב', '\u200eגד']);
  expect(lines('אב Co גד', 5)).toEqual(['\u200fאב Co', '\u200fגד']);
});

test('nothing is measured more than twice, whatever the text', () => {
  for (const unit of ['я', 'яя ', '語', `a${'\u0301'.repeat(30)}`, 'กา', '\u2067א']) {
    let measured = 0;
    const text = unit.repeat(4_000 / unit.length);
    wrapAny(text, 30, (part) => {
      measured += part.length;
      return part.length;
    });
    expect(measured).toBeLessThanOrEqual(2 * text.length + 60);
  }
});
