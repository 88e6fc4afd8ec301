import { newKeyRing, parseKeyRing } from './key-ring.ts';
import { serviceKeyRing, shareKey } from './service-key-ring.ts';

const [root, old] = [newKeyRing(), newKeyRing()];
const another = (version: string): string => `${version}:${newKeyRing().slice(3)}`;
const ringOf = (service: string, keys = { root, old }) => parseKeyRing(serviceKeyRing(keys, service));

test('a service reads what it encrypted, and what was encrypted under the old key of its system', () => {
  expect(ringOf('invoicing').open(ringOf('invoicing').seal('text')).toString()).toBe('text');
  expect(ringOf('invoicing').open(parseKeyRing(old).seal('before')).toString()).toBe('before');
});

test('what it encrypts opens with no other service’s ring, and not with the system’s', () => {
  const sealed = ringOf('invoicing').seal('text');
  expect(() => ringOf('webhooks-dispatcher').open(sealed)).toThrow();
  for (const ring of [root, old]) expect(() => parseKeyRing(ring).open(sealed)).toThrow();
});

test('a key that is added to the root encrypts from then on, and nothing becomes unreadable', () => {
  const before = ringOf('invoicing').seal('text');
  const rotated = ringOf('invoicing', { root: `${root},${another('v2')}`, old: `${old},${another('v20261122')}` });
  expect(rotated.open(before).toString()).toBe('text');
  expect(rotated.seal('text')).toMatch(/^v900000002\./);
});

test('an old key never encrypts, however high its version', () => {
  expect(ringOf('invoicing', { root, old: another('v99999999') }).seal('text')).toMatch(/^v900000001\./);
  for (const keys of [
    { root, old: another('v100000000') },
    { root: another('v100000000'), old },
  ])
    expect(() => serviceKeyRing(keys, 'invoicing')).toThrow(RangeError);
});

test('two rings share a key whatever its version is', () => {
  expect(shareKey(`${old},v2:${root.slice(3)}`, root)).toBe(true);
  expect(shareKey(old, root)).toBe(false);
});
