import fc from 'fast-check';
import { withoutMembers } from './without-members.ts';

const names = new Set(['name', 'tax_id', 'address']);
const pass = (text: string, sizes: readonly number[] = []): string => {
  const nulled = withoutMembers({ names, except: 'actor' });
  const bytes = Buffer.from(text);
  const pieces: Buffer[] = [];
  let at = 0;
  for (const size of [...sizes, bytes.length]) {
    pieces.push(nulled(bytes.subarray(at, at + size)));
    at += size;
  }
  return Buffer.concat(pieces).toString('utf8');
};

/** What is meant, on the parsed text. */
function nulled(value: unknown, holder = ''): unknown {
  if (Array.isArray(value)) return value.map((item) => nulled(item, holder));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name, holder !== 'actor' && names.has(name) ? null : nulled(inner, name)]),
  );
}

const member = fc.oneof(fc.constantFrom('name', 'tax_id', 'address', 'actor', 'id', 'items'), fc.string({ maxLength: 4 }));
const { value } = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom(null, true, 1.5, -0.25, '', 'x", "name": "y', '\\'),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(member, tie('value'), { maxKeys: 4 }),
  ),
}));

test('writes null for these members, in pieces of any size, and changes nothing else', () => {
  fc.assert(
    fc.property(value, fc.array(fc.integer({ min: 1, max: 9 }), { maxLength: 40 }), (json, sizes) => {
      const own = Object.prototype.hasOwnProperty.call(json ?? {}, '__proto__');
      fc.pre(!own);
      expect(JSON.parse(pass(JSON.stringify(json), sizes))).toEqual(nulled(JSON.parse(JSON.stringify(json))));
    }),
  );
});

test('a name in another spelling is the same name, and white space does not matter', () => {
  expect(JSON.parse(pass('{ "\\u006eame" : {"a": [1, "}"]} , "id" : 1 }'))).toEqual({ name: null, id: 1 });
  expect(JSON.parse(pass('{"tax_id" : 12 ,"x":2}'))).toEqual({ tax_id: null, x: 2 });
});
