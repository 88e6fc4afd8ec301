import { canonical, element } from './element.ts';
import { parseXml, textOf } from './parse.ts';

test.each([
  ['noncharacters', 'a\uFFFFb\uFFFE', 'a\uFFFDb\uFFFD'],
  ['control characters', 'a\u0000\u0008b\u001F', 'a\uFFFD\uFFFDb\uFFFD'],
  ['halves of a character', 'a\uD83D', 'a\uFFFD'],
])('what XML 1.0 cannot hold is replaced: %s', (_what, value, written) => {
  const xml = canonical(element('a', { b: value }, [value]));
  expect(xml).toBe(`<a b="${written}">${written}</a>`);
  expect(textOf(parseXml(xml))).toBe(written);
});

test('what XML 1.0 can hold stays, escaped where Canonical XML does so', () => {
  const value = '\t\n\r&<>"Ë\u007F\uFDD0\u{1FFFE}😀';
  const kept = 'Ë\u007F\uFDD0\u{1FFFE}😀';
  expect(canonical(element('a', { b: value }, [value]))).toBe(
    `<a b="&#x9;&#xA;&#xD;&amp;&lt;>&quot;${kept}">\t\n&#xD;&amp;&lt;&gt;"${kept}</a>`,
  );
});
