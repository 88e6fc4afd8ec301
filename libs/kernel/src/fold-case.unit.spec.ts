import { foldCase } from './fold-case.ts';

describe('folding case', () => {
  test.each([
    ['Straße', 'STRASSE'],
    ['STRAẞE', 'strasse'],
    ['ΟΔΥΣΣΕΥΣ', 'Οδυσσεύς'.normalize('NFD').replaceAll('\u0301', '')],
    ['ΣΑΣ', 'σας'],
    ['İstanbul', 'ISTANBUL'],
    ['ıstanbul', 'istanbul'],
    ['ﬁn', 'FIN'],
    ['Ǆ', 'ǆ'],
    ['ǅ', 'ǆ'],
    ['ſ', 'S'],
    ['K', 'k'],
    ['ᾳ', 'ΑΙ'],
    ['Ÿ', 'y\u0308'],
    ['ǰ', 'J\u030c'],
    ['Ꭰ', 'ꭰ'],
  ])('%s and %s are the same', (one, other) => expect(foldCase(one)).toBe(foldCase(other)));

  test('what a name begins with is what its folded form begins with, also in the middle of a word', () => {
    expect(foldCase('ΣΑΣΑ').startsWith(foldCase('σας'))).toBe(true);
    expect(foldCase('Straße').startsWith(foldCase('STRAS'))).toBe(true);
    expect(foldCase('İzmir').startsWith(foldCase('i'))).toBe(true);
  });

  test('accents count', () => expect(foldCase('é')).not.toBe(foldCase('e')));

  test('two characters that match without case by a regular expression fold alike; folded text stays as it is', () => {
    for (let code = 0; code <= 0x1ffff; code += 1) {
      if (code >= 0xd800 && code <= 0xdfff) continue;
      const one = String.fromCodePoint(code);
      const folded = foldCase(one);
      if (foldCase(folded) !== folded) throw new Error(`${code.toString(16)} is not folded once for all`);
      for (const other of [one.toLowerCase(), one.toUpperCase()])
        if (foldCase(other) !== folded) throw new Error(`${code.toString(16)} folds otherwise in another case`);
    }
  });

  test('is at most three times as long', () => {
    for (let code = 0; code <= 0x1ffff; code += 1) {
      const one = String.fromCodePoint(code);
      if (foldCase(one).length > 3 * one.length) throw new Error(`${code.toString(16)} becomes longer`);
    }
  });
});
