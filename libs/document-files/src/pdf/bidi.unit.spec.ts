import { clusters, directionMark, runsOf } from './bidi.ts';

const faceOf = (cluster: string): string | undefined => (/^(?!\p{sc=Latin})\p{L}/u.test(cluster) ? 'face' : undefined);
/** The texts of the runs from left to right; `<` is a run that is read from right to left. */
const drawn = (text: string): string[] => runsOf(text, faceOf).map((run) => (run.isRightToLeft ? `<${run.text}` : run.text));

test.each<[string, string, string[]]>([
  ['Latin alone', 'abc 12', ['abc 12']],
  ['words from right to left', 'אב גד', ['<גד', '< ', '<אב']],
  ['a number within', 'אב 12 גד', ['<גד', '< ', '12', '< ', '<אב']],
  ['brackets are mirrored', 'אב (גד)', ['<(', '<גד', '<) ', '<אב']],
  ['in a Latin line', 'Co. אב גד, 5 Ltd', ['Co. ', '5', '< ,', '<גד', '< ', '<אב', ' Ltd']],
  ['Latin within', 'אב Co. גד', ['<גד', '< .', 'Co', '< ', '<אב']],
  ['a line of a paragraph from right to left that begins with Latin', '\u200fCo. אב', ['<אב', '< .', 'Co']],
  ['a line of a paragraph from left to right that begins with Hebrew', '\u200eאב, Co', ['<אב', ', Co']],
  ['an override', 'a\u202ebc\u202cd', ['a', '<cb', 'd']],
  ['isolates', 'אב \u2066a (גד)\u2069', ['a (', '<גד', ')', '< ', '<אב']],
  ['marks stay with their letters', 'น้ำผึ้ง', ['น้ำผึ้ง']],
])('%s', (_, text, runs) => expect(drawn(text)).toEqual(runs));

test('the first strong character says how a paragraph is read; one without letters from right to left needs no mark', () => {
  expect(['אב abc', 'abc אב', '12 אב', '12', ''].map(directionMark)).toEqual(['\u200f', '\u200e', '\u200f', '', '']);
});

test('a character and its marks are one cluster, however many', () => {
  expect([...clusters(`a${'\u0301'.repeat(254)}b`)].map(({ segment }) => segment.length)).toEqual([255, 1]);
  expect([...clusters('👨‍👩‍👧🇪🇸')].map(({ segment }) => segment)).toEqual(['👨‍👩‍👧', '🇪🇸']);
});
