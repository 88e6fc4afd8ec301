import { hkdfSync } from 'node:crypto';
import { keysFor, type InternalKeys } from '../identity/internal-keys.ts';
import { parseKeyRing, type KeyRing } from './key-ring.ts';

/**
 * Signs links of a service that has no key ring, since it encrypts nothing: by keys derived from those that it shares with the gateway (HKDF-SHA256). The
 * first of them signs.
 */
export function linkKeys(keys: InternalKeys, service: string): Pick<KeyRing, 'sign' | 'hasSigned'> {
  const derived = keysFor(keys, service)
    .toReversed()
    .map(({ key }, n) => `v${n + 1}:${Buffer.from(hkdfSync('sha256', key, '', `links of ${service}`, 32)).toString('base64')}`);
  return parseKeyRing(derived.join());
}
