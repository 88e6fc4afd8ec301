import type { Operation, Schema } from './published.ts';
import type { Random } from './random.ts';

const wrongValues = (schema: Schema, name: string): string[] => {
  if (schema.type === 'integer')
    return ['0', '-1', '1.5', 'abc', '', '1e2', '99999999999999999999', '0x10', '1;drop', '%00', ...(name === 'per_page' ? ['101'] : [])];
  if (schema.type === 'boolean') return ['1', 'yes', 'TRUE', '', 'null'];
  if (schema.enum) return ['nope', '', 'DRAFT', 'draft,submitted', '%00', 'x'.repeat(400)];
  if (schema.format === 'date' || /_(?:from|to)$/.test(name))
    return ['2026-02-30', 'yesterday', '2026-1-1', '', '2026-01-01T25:00:00Z', '1700000000'];
  if (name === 'currency') return ['eur', 'EURO', '', '12'];
  return ['', 'x'.repeat(300), 'a%00b', '%0A'];
};

/** A query with at least one invalid parameter. */
export function badQuery({ parameters }: Operation, { pick, next }: Random): string {
  const known = parameters.filter((parameter) => parameter.in === 'query');
  const roll = next();
  if (known.length === 0 || roll < 0.3)
    return pick([
      'foo=1',
      'page%5B%5D=1',
      '__proto__=1',
      'constructor=x',
      'pageSize=5',
      'limit=10',
      'Page=1',
      'q%00=1',
      '%C3%BC=1',
      'hasOwnProperty=1',
    ]);
  const { name, schema } = pick(known);
  if (roll < 0.45) return `${name}=1&${name}=2`;
  return `${name}=${pick(wrongValues(schema, name))}`;
}

/** A header that is invalid for this operation; undefined when none can be. */
export function badHeaders({ method, parameters }: Operation, { pick }: Random): Record<string, string> | undefined {
  const choices: Record<string, string>[] = [];
  if (method === 'POST') choices.push(...['x'.repeat(256), 'with space', 'n\u00f6n-ascii'].map((key) => ({ 'idempotency-key': key })));
  if (parameters.some(({ name }) => name === 'If-Match'))
    choices.push(...['1', '"1', '1"', 'abc', "'1'"].map((tag) => ({ 'if-match': tag })));
  return choices.length > 0 ? pick(choices) : undefined;
}

/** Bytes that are no JSON, made from a JSON text. */
export function badJson(text: string, { pick, below }: Random): Buffer {
  const texts = [
    text.slice(0, Math.max(1, below(text.length))).replace(/[}\]]+$/, ''),
    `${text},`,
    `{${text}`,
    text.replace('{', "{'a':1,"),
    ...['{"a":NaN}', '{"a":01}', '{"a":1,}', '{"a":"\t"}', '// comment\n{}', 'undefined', '<xml/>', '\u0000', '{"a":1e}', '{"a":.5}'],
  ];
  return pick([...texts.map((bad) => Buffer.from(bad)), Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d])]);
}

/** Well-formed JSON that is expensive or dangerous to parse. */
export const hostileJson = [
  `${'['.repeat(90_000)}1${']'.repeat(90_000)}`,
  `{"metadata":${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}}`,
  '{"__proto__":{"polluted":true}}',
  '{"metadata":{"__proto__":{"a":"b"}}}',
  '{"metadata":{"half":"\\ud800"}}',
  `{${Array.from({ length: 5000 }, (_, n) => `"k${n}":${n}`).join(',')}}`,
];
/** JSON that is not an object. */
export const noObject = ['[]', '[{}]', '"text"', '1', 'null', 'true', '12345678901234567890'];
export const otherTypes = [
  'text/plain',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
  'application/xml',
  'application/jsonp',
  'text/json',
  'json',
  undefined,
];
