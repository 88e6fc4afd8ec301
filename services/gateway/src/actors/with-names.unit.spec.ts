import fc from 'fast-check';
import { withNames } from './with-names.ts';

const ids = ['a', 'b', 'c'].map((letter) => `mem_${letter.repeat(26)}`);
const names = new Map([
  [ids[0], 'Ana “Ñ” \\ <b>'],
  [ids[1], null],
]);

async function named(text: string, sizes: readonly number[] = []): Promise<string> {
  const { pass, end } = withNames(async () => names as Map<string, string | null>);
  const bytes = Buffer.from(text);
  const pieces: Buffer[] = [];
  let at = 0;
  for (const size of [...sizes, bytes.length]) {
    pieces.push(await pass(bytes.subarray(at, at + size)));
    at += size;
  }
  return Buffer.concat([...pieces, end()]).toString('utf8');
}

const actor = fc.oneof(
  fc.constantFrom(...ids).map((id) => ({ type: 'member', id })),
  fc.constant({ type: 'api_key', id: `key_${'d'.repeat(26)}` }),
);
const entry = fc.record({ version: fc.nat(), actor, changes: fc.record({ notes: fc.string({ unit: 'grapheme' }) }) });

test('members have their names, in pieces of any size, and nothing else changes', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(entry, { maxLength: 5 }),
      fc.array(fc.integer({ min: 1, max: 90 }), { maxLength: 30 }),
      async (data, sizes) => {
        const expected = data.map((one) => {
          const name = names.get(one.actor.id);
          return name ? { ...one, actor: { ...one.actor, name } } : one;
        });
        expect(JSON.parse(await named(JSON.stringify({ data }), sizes))).toEqual({ data: expected });
      },
    ),
  );
});

test('a text that looks like an actor is none', async () => {
  const text = JSON.stringify({ notes: `"actor":{"type":"member","id":"${ids[0]}"}` });
  expect(await named(text)).toBe(text);
});
