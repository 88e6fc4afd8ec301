import fc from 'fast-check';
import { jsonErrorAt, whyNoJson } from './json-error.ts';

const isJson = (text: string): boolean => {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
};

describe('the place at which a text stops being JSON', () => {
  test.each([
    ['', 0],
    ['  ', 2],
    ['{"a":1', 6],
    ['{"a":NaN}', 5],
    ['{"a":-Infinity}', 5],
    ["{'a':1}", 1],
    ['{"a":1,}', 7],
    ['[1,]', 3],
    ['{"a" 1}', 5],
    ['[1 2]', 3],
    ['[01]', 1],
    ['["a\nb"]', 3],
    ['["\\x"]', 2],
    ['["\\u12g4"]', 2],
    ['["open', 6],
    ['1 2', 2],
    ['[}', 1],
    ['tru', 0],
  ])('%j', (text, at) => expect(jsonErrorAt(text)).toBe(at));

  test('agrees with JSON.parse on whatever is JSON or was changed in one place', () => {
    const changed = fc.tuple(
      fc.json(),
      fc.nat(),
      fc.constantFrom('', ',', '}', ']', '"', '\\', ':', ' ', 'a', '1', '-', '.', '\n', '[', '{'),
    );
    fc.assert(
      fc.property(changed, ([json, place, put]) => {
        const at = place % (json.length + 1);
        for (const text of [
          json,
          json.slice(0, at) + put + json.slice(at),
          json.slice(0, at) + put + json.slice(at + 1),
          json.slice(0, at),
        ])
          expect([text, jsonErrorAt(text) === undefined]).toEqual([text, isJson(text)]);
      }),
      { numRuns: 500 },
    );
  });

  test('a megabyte of brackets, quotes or words is read once', () => {
    for (const text of [
      '['.repeat(1_000_000),
      '"'.repeat(1_000_000),
      '{"a":'.repeat(200_000),
      '[1,'.repeat(300_000),
      '"' + '\\n'.repeat(500_000),
    ])
      expect(jsonErrorAt(text)).toBeDefined();
  });
});

test.each([
  ['<?xml version="1.0"?>', 'XML or HTML'],
  ['  <html>', 'XML or HTML'],
  ['name=Ann&email=a', 'a form'],
  ['{"a":NaN}', 'NaN is no value of JSON, position 5 (line 1, column 6)'],
  ['{\n "a": undefined}', 'undefined is no value of JSON, position 8 (line 2, column 7)'],
  ["{'a':1}", 'double quotes, position 1'],
  ['{"a":1, }', 'a comma stands before the bracket'],
  ['{"a":"b"', 'ends too early'],
  ['{"a":secret}', 'see position 5'],
])('%j is told by what it is', (text, why) => {
  expect(whyNoJson(text)).toContain(why);
  expect(whyNoJson(text)).not.toContain('secret');
});
