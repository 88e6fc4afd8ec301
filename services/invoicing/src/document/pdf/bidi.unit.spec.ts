import { isRightToLeft, runsOf } from './bidi.ts';
import type { FontName } from './fonts.ts';

const fontOf = (cluster: string): FontName =>
  /^\p{Script=Hebrew}/u.test(cluster)
    ? 'hebrew'
    : /^\p{Script=Arabic}/u.test(cluster)
      ? 'arabic'
      : /^\p{Script=Thai}/u.test(cluster)
        ? 'thai'
        : 'base';
/** The texts of the runs from left to right. */
const drawn = (text: string): string[] => runsOf(text, fontOf).map((run) => run.text);

test.each<[string, string, string[]]>([
  ['Latin alone', 'abc 12', ['abc 12']],
  ['words from right to left', 'אב גד', ['גד', ' ', 'אב']],
  ['a number within', 'אב 12 גד', ['גד', ' ', '12', ' ', 'אב']],
  ['brackets are mirrored', 'אב (גד)', ['(', 'גד', ')', ' ', 'אב']],
  ['in a Latin line', 'Co. אב גד, 5 Ltd', ['Co. ', '5', ' ', ',', 'גד', ' ', 'אב', ' Ltd']],
  ['Latin within', 'אב Co. גד', ['גד', ' ', '.', 'Co', ' ', 'אב']],
  ['a line of a paragraph from right to left that begins with Latin', '\u200fCo. אב', ['אב', ' ', '.', 'Co']],
  ['controls order, and are not drawn', 'a\u202eb\u202c', ['a', 'b']],
  ['marks stay with their letters', 'น้ำผึ้ง', ['น้ำผึ้ง']],
])('%s', (_, text, runs) => expect(drawn(text)).toEqual(runs));

test('the first strong character says how a paragraph is read', () => {
  expect(['אב abc', 'abc אב', '12 אב', '12', ''].map(isRightToLeft)).toEqual([true, false, true, false, false]);
});
