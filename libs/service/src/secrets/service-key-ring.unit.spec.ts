import { newKeyRing, parseKeyRing } from './key-ring.ts';
import { serviceKeyRing } from './service-key-ring.ts';

/** Ciphertexts that are bound to no row are of any. */
const ROW = { collection: 'rows', id: '1' };

const root = newKeyRing();
const another = (version: string): string => `${version}:${newKeyRing().slice(3)}`;
const ringOf = (service: string, ...roots: string[]) => parseKeyRing(serviceKeyRing(roots.length > 0 ? roots : [root], service));
const read = (ring: ReturnType<typeof ringOf>, ciphertext: string): string => ring.decrypt(ciphertext, ROW).toString();

test('a service reads what it encrypted; the rings of other services and of the system do not', () => {
  const ciphertext = ringOf('invoicing').encrypt('text');
  expect(read(ringOf('invoicing'), ciphertext)).toBe('text');
  expect(() => read(ringOf('webhooks-dispatcher'), ciphertext)).toThrow();
  expect(() => read(parseKeyRing(root), ciphertext)).toThrow();
});

test.each(['v2', 'v20261122', 'v999999999'])(
  'a key %s that is added to the root encrypts from then on, and older ciphertexts stay readable',
  (version) => {
    const before = ringOf('invoicing').encrypt('text');
    const added = another(version);
    const rotated = ringOf('invoicing', `${added}, ${root}`);
    expect(read(rotated, before)).toBe('text');
    expect(() => read(ringOf('invoicing'), rotated.encrypt('text'))).toThrow();
    expect(read(ringOf('invoicing', added), rotated.encrypt('text'))).toBe('text');
  },
);

test('of several roots the last one encrypts, whatever their versions are, and all decrypt', () => {
  const [first, last] = [another('v999999999'), another('v1')];
  const both = ringOf('invoicing', first, last);
  expect(read(ringOf('invoicing', last), both.encrypt('text'))).toBe('text');
  expect(read(both, ringOf('invoicing', first).encrypt('text'))).toBe('text');
});
