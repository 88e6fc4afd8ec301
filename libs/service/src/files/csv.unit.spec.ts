import { jsonNumber } from '@svc/kernel';
import { csvCell, csvLine } from './csv.ts';

test.each([
  [null, ''],
  ['plain', 'plain'],
  ['a, b', '"a, b"'],
  ['say "x"', '"say ""x"""'],
  ['two\nlines', '"two\nlines"'],
  ['=1+1', "'=1+1"],
  ['+SUM(A1)', "'+SUM(A1)"],
  ['-2+3', "'-2+3"],
  ['@cmd', "'@cmd"],
  ['\tx', '"\'\tx"'],
  ['R;=1+1', '"R;\'=1+1"'],
  ['a;;@cmd;b', '"a;;\'@cmd;b"'],
  ['a\t+1', '"a\t\'+1"'],
  ['a\r\n-1', '"a\r\n\'-1"'],
  ['\t=1', '"\'\t\'=1"'],
  ['＝1+1', "'＝1+1"],
  ['a;＠x;＋1;－1', "\"a;'＠x;'＋1;'－1\""],
  ['a-b @ c = d', 'a-b @ c = d'],
  ['=HYPERLINK("a","b")', '"\'=HYPERLINK(""a"",""b"")"'],
  [-120, '-120'],
  [jsonNumber('9007199254740993.01'), '9007199254740993.01'],
])('%j is %s', (value, cell) => expect(csvCell(value)).toBe(cell));

test('a line has the columns in their order', () => expect(csvLine(['b', 'a'], { a: 1, b: 'x', c: 2 })).toBe('x,1'));
