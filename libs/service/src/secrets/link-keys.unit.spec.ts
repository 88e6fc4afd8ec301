import { internalKeys } from '../identity/internal-keys.ts';
import { linkKeys } from './link-keys.ts';

const key = (byte: number): string => Buffer.alloc(32, byte).toString('base64');
const signs = (text: string) => linkKeys(internalKeys(text), 'reporting');

test('the first key signs, all verify: a link outlives a rotation', () => {
  const before = signs(`k1:${key(1)}`);
  const rotated = signs(`k2:${key(2)},k1:${key(1)}`);
  const signature = before.sign('links', 'text');
  expect(rotated.hasSigned('links', 'text', signature)).toBe(true);
  expect(rotated.sign('links', 'text')).not.toBe(signature);
  expect(signs(`k2:${key(2)}`).hasSigned('links', 'text', signature)).toBe(false);
});

test('no key of another service signs', () => {
  const of = (service: string) => linkKeys(internalKeys(`k1:${key(1)}`), service).sign('links', 'text');
  expect(of('reporting')).not.toBe(of('invoicing'));
  expect(() => linkKeys(internalKeys(`invoicing.k1:${key(1)}`), 'reporting')).toThrow('no key for reporting');
});
