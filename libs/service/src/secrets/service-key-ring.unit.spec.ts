import { newKeyRing, parseKeyRing } from './key-ring.ts';
import { serviceKeyRing, shareKey } from './service-key-ring.ts';

/** Ciphertexts that are bound to no row are of any. */
const ROW = { collection: 'rows', id: '1' };

const [root, old] = [newKeyRing(), newKeyRing()];
const another = (version: string): string => `${version}:${newKeyRing().slice(3)}`;
const ringOf = (service: string, keys = { root: [root], old: [old] }) => parseKeyRing(serviceKeyRing(keys, service));

test('a service reads what it encrypted, and what was encrypted under the old key of its system', () => {
  expect(ringOf('invoicing').decrypt(ringOf('invoicing').encrypt('text'), ROW).toString()).toBe('text');
  expect(ringOf('invoicing').decrypt(parseKeyRing(old).encrypt('before'), ROW).toString()).toBe('before');
});

test('what it encrypts cannot be decrypted with the ring of another service or of the system', () => {
  const ciphertext = ringOf('invoicing').encrypt('text');
  expect(() => ringOf('webhooks-dispatcher').decrypt(ciphertext, ROW)).toThrow();
  for (const ring of [root, old]) expect(() => parseKeyRing(ring).decrypt(ciphertext, ROW)).toThrow();
});

test.each(['v2', 'v20261122', 'v999999999'])(
  'a key %s that is added to the root encrypts from then on, and older ciphertexts stay readable',
  (version) => {
    const before = ringOf('invoicing').encrypt('text');
    const added = another(version);
    const rotated = ringOf('invoicing', { root: [`${added}, ${root}`], old: [`${old},${another('v20261122')}`] });
    expect(rotated.decrypt(before, ROW).toString()).toBe('text');
    const without = ringOf('invoicing', { root: [root], old: [old] });
    expect(() => without.decrypt(rotated.encrypt('text'), ROW)).toThrow();
    expect(
      ringOf('invoicing', { root: [added], old: [] })
        .decrypt(rotated.encrypt('text'), ROW)
        .toString(),
    ).toBe('text');
  },
);

test('of several roots the last one encrypts, whatever their versions are, and all decrypt', () => {
  const [first, last] = [another('v999999999'), another('v1')];
  const both = ringOf('invoicing', { root: [first, last], old: [] });
  expect(
    ringOf('invoicing', { root: [last], old: [] })
      .decrypt(both.encrypt('text'), ROW)
      .toString(),
  ).toBe('text');
  expect(both.decrypt(ringOf('invoicing', { root: [first], old: [] }).encrypt('text'), ROW).toString()).toBe('text');
});

test.each(['v1', 'v99999999', 'v100000000', 'v999999999'])('an old key %s never encrypts', (version) => {
  const ring = another(version);
  const ciphertext = ringOf('invoicing', { root: [root], old: [ring] }).encrypt('text');
  expect(
    ringOf('invoicing', { root: [root], old: [] })
      .decrypt(ciphertext, ROW)
      .toString(),
  ).toBe('text');
  expect(
    ringOf('invoicing', { root: [root], old: [ring] })
      .decrypt(parseKeyRing(ring).encrypt('text'), ROW)
      .toString(),
  ).toBe('text');
});

test('what was encrypted under a key derived from the root stays readable where that key becomes an old one', () => {
  const ciphertext = ringOf('invoicing').encrypt('text');
  const after = { root: [newKeyRing()], old: [root] };
  expect(ringOf('invoicing', after).decrypt(ciphertext, ROW).toString()).toBe('text');
  expect(() => ringOf('gateway', { ...after, old: [] }).decrypt(ciphertext, ROW)).toThrow();
});

test('two sets of rings share a key whatever its version is', () => {
  expect(shareKey([`${old},v2:${root.slice(3)}`], [newKeyRing(), root])).toBe(true);
  expect(shareKey([old], [root, newKeyRing()])).toBe(false);
});
