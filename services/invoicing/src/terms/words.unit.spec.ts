import { beginsWith, wordsOf } from './terms.ts';

describe('the words of a name', () => {
  test.each([
    ['Ångström & Söhne Große Gasse', ['ångström', 'söhne', 'grosse', 'gasse']],
    ["O'Brien  o’brien-SMITH, Ltd.", ['o', 'brien', 'smith', 'ltd']],
    ['4711 Echt-Kölnisch', ['4711', 'echt', 'kölnisch']],
    ['हिन्दी सेवा', ['हिन्दी', 'सेवा']],
    ['株式会社山田', ['株式会社山田']],
    ['& – …', []],
  ])('%s', (name, words) => expect(wordsOf(name, 9)).toEqual(words));

  test('as many as count, each once, and of each as many characters as count', () => {
    expect(wordsOf('a b a c d e', 3)).toEqual(['a', 'b', 'c']);
    expect(wordsOf('𝔸'.repeat(60), 3)).toEqual(['𝔸'.repeat(40)]);
  });
});

test('a prefix matches every continuation and nothing else', () => {
  const { $gte, $lt } = beginsWith('éc');
  const within = (word: string): boolean =>
    Buffer.compare(Buffer.from(word), Buffer.from($gte)) >= 0 && Buffer.compare(Buffer.from(word), Buffer.from($lt)) < 0;
  for (const word of ['éc', 'éclair', 'éc\uffff', 'éc😀']) expect(within(word)).toBe(true);
  for (const word of ['éb', 'éd', 'ec', 'é']) expect(within(word)).toBe(false);
});
