import { decimal, toText } from '@svc/kernel';
import fc from 'fast-check';
import { amountsAsText } from './as-text.ts';

const decimals = new Map([
  ['', new Set(['total'])],
  ['items', new Set(['quantity', 'rate'])],
  ['data', new Set(['total'])],
]);
const whole = (text: string): string => amountsAsText(decimals)(Buffer.from(text)).toString();

test('decimals are in quotes, with their digits as they were; all else stays', () => {
  expect(whole('{"total":12.30,"version":3,"items":[{"quantity":-0.000001,"n":7},{"quantity":0}]}')).toBe(
    '{"total":"12.30","version":3,"items":[{"quantity":"-0.000001","n":7},{"quantity":"0"}]}',
  );
});

test('a decimal with an exponent has zeros in its place, as text that is sent has', () => {
  expect(whole('{"items":[{"quantity":1e-8,"rate":-2.5E-7,"n":1e-8},{"quantity":1.5e+21}],"total":1e2}')).toBe(
    '{"items":[{"quantity":"0.00000001","rate":"-0.00000025","n":1e-8},{"quantity":"1500000000000000000000"}],"total":"100"}',
  );
});

test('a name counts as it is meant, however it is written', () => {
  expect(whole(String.raw`{"tot\u0061l":1,"\"total":2,"total\\":3,"":4}`)).toBe(
    String.raw`{"tot\u0061l":"1","\"total":2,"total\\":3,"":4}`,
  );
});

test('numbers in a list stay, and so do those of objects that a list of lists holds by another name', () => {
  const text = '{"items":[1,[2,{"n":3}],"quantity",4],"a":{"total":5},"total":[6]}';
  expect(whole(text)).toBe(text);
  expect(whole('{"items":[[{"quantity":3}]]}')).toBe('{"items":[[{"quantity":"3"}]]}');
});

test('a decimal is identified by its member and by the member that holds it: the total of a list counts, the total of a resource is an amount', () => {
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

const plain = (value: number): string => toText(decimal(JSON.stringify(value)));

/** The same by a walk of the parsed value. */
function expected(value: unknown, holder = ''): unknown {
  if (Array.isArray(value)) return value.map((item: unknown) => expected(item, holder));
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([name, inner]: [string, unknown]) => {
    const isDecimal = typeof inner === 'number' && (decimals.get(holder)?.has(name) ?? false);
    return [name, isDecimal ? plain(inner) : expected(inner, name)];
  });
  return Object.fromEntries(entries);
}

test('pieces may be cut at every byte, and at every two', () => {
  const text = String.raw`{"total":-12.30,"é\"\\":"\"total\":1\\","items":[{"quantity":1e-8,"rate":0,"n":[1,{"rate":2}]},{"metadata":{"total":"7 €"}}],"data":{"total":null}}`;
  const bytes = Buffer.from(text);
  const one = whole(text);
  for (let first = 0; first <= bytes.length; first += 1)
    for (let second = first; second <= bytes.length; second += 1) {
      const pass = amountsAsText(decimals);
      const pieces = [bytes.subarray(0, first), bytes.subarray(first, second), bytes.subarray(second)];
      expect(Buffer.concat(pieces.map(pass)).toString()).toBe(one);
    }
  const pass = amountsAsText(decimals);
  expect(Buffer.concat([...bytes].map((byte) => pass(Buffer.from([byte])))).toString()).toBe(one);
});

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
