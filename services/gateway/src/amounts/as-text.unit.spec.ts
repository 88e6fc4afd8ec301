import fc from 'fast-check';
import { amountsAsText } from './as-text.ts';

const decimals = new Set(['.total', 'items.quantity', 'items.rate', 'data.total']);
const whole = (text: string): string => amountsAsText(decimals)(Buffer.from(text)).toString();

test('decimals are in quotes, with their digits as they were; all else stays', () => {
  expect(whole('{"total":12.30,"version":3,"items":[{"quantity":-0.000001,"n":7},{"quantity":1e21}]}')).toBe(
    '{"total":"12.30","version":3,"items":[{"quantity":"-0.000001","n":7},{"quantity":"1e21"}]}',
  );
});

test('a member is told by what holds it: the total of a list counts, the total of a resource is an amount', () => {
  expect(whole('{"data":[{"total":1},{"total":2.5}],"meta":{"total":2}}')).toBe(
    '{"data":[{"total":"1"},{"total":"2.5"}],"meta":{"total":2}}',
  );
});

test('null, text and what callers name like a decimal stay', () => {
  const text = String.raw`{"total":null,"items":[{"quantity":"1","rate":true}],"metadata":{"total":"5","a\"total":"6","x":"\\"},"notes":"{\"total\":1}"}`;
  expect(whole(text)).toBe(text);
});

test('space around values stays', () => {
  expect(whole('{ "total" : 1 , "items" : [ { "rate" : 2\n} ] }')).toBe('{ "total" : "1" , "items" : [ { "rate" : "2"\n} ] }');
});

const NAMES = ['total', 'items', 'quantity', 'rate', 'data', 'meta', 'a"b', 'ë\\'];
const json = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.oneof(
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      fc.integer(),
      fc.string({ unit: 'binary' }),
      fc.boolean(),
      fc.constant(null),
    ),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(fc.constantFrom(...NAMES), tie('value'), { maxKeys: 5 }),
  ),
})).value;

/** The same by a walk of the parsed value. */
function expected(value: unknown, holder = ''): unknown {
  if (Array.isArray(value)) return value.map((item: unknown) => expected(item, holder));
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([name, inner]: [string, unknown]) => {
    const isDecimal = typeof inner === 'number' && decimals.has(`${holder}.${name}`);
    return [name, isDecimal ? JSON.stringify(inner) : expected(inner, name)];
  });
  return Object.fromEntries(entries);
}

test('any JSON in pieces cut anywhere is as a walk of the parsed value makes it', () => {
  fc.assert(
    fc.property(json, fc.array(fc.nat(40), { maxLength: 30 }), (value, sizes) => {
      const bytes = Buffer.from(JSON.stringify({ total: 1, items: value }));
      const pass = amountsAsText(decimals);
      const pieces: Buffer[] = [];
      let at = 0;
      for (const size of [...sizes, bytes.length]) {
        pieces.push(pass(bytes.subarray(at, at + size)));
        at += size;
      }
      expect(JSON.parse(Buffer.concat(pieces).toString())).toEqual(expected(JSON.parse(bytes.toString())));
    }),
    { numRuns: 2_000 },
  );
});
