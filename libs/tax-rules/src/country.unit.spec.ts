import { rulesOf } from './country.ts';

test.each([
  ['AL', 'corrective'],
  ['ME', 'corrective'],
  ['ES', 'annulment'],
  ['FR', 'annulment'],
  [null, 'annulment'],
])('a registered document of an issuer in %s is undone by: %s', (country, kind) => expect(rulesOf(country).void.kind).toBe(kind));

describe.each(['AL', 'ES', 'ME', 'FR'])('the rules of %s', (country) => {
  const { id: _, mentions, ...rules } = rulesOf(country);

  test('each name a law, a regulation or a document of the authority', () => {
    for (const { source } of [...Object.values(rules), ...mentions]) expect(source.length).toBeGreaterThan(10);
  });

  test('name each mention once', () => expect(new Set(mentions.map(({ id }) => id)).size).toBe(mentions.length));
});
