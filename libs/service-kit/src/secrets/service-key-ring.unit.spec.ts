import { newKeyRing, parseKeyRing } from './key-ring.ts';
import { serviceKeyRing } from './service-key-ring.ts';

const system = newKeyRing();
const ringOf = (service: string, of = system) => parseKeyRing(serviceKeyRing(of, service));

test('a service reads what it sealed, and what was sealed under the key of its system', () => {
  expect(ringOf('invoicing').open(ringOf('invoicing').seal('text')).toString()).toBe('text');
  expect(ringOf('invoicing').open(parseKeyRing(system).seal('before')).toString()).toBe('before');
});

test('what it seals opens with no other service’s key, and not with the system’s', () => {
  const sealed = ringOf('invoicing').seal('text');
  expect(() => ringOf('webhooks-dispatcher').open(sealed)).toThrow();
  expect(() => parseKeyRing(system).open(sealed)).toThrow();
});

test('a key that is added to the system seals from then on, and nothing becomes unreadable', () => {
  const before = ringOf('invoicing').seal('text');
  const rotated = ringOf('invoicing', `${system},v2:${newKeyRing().slice(3)}`);
  expect(rotated.open(before).toString()).toBe('text');
  expect(rotated.seal('text')).toMatch(/^v1000002\./);
});
