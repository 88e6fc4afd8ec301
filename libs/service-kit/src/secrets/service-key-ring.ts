import { hkdfSync } from 'node:crypto';

/** Above every version that an operator gives: of `v1` a service's own key is `v1000001`. */
const OWN = 1_000_000;

/**
 * The ring of one service, made of that of its system, in the form that `parseKeyRing` reads: what it stores from now on it seals with
 * keys of its own (HKDF-SHA256 of the system's, by the service's name); what was stored under the system's keys it can read as well.
 */
export function serviceKeyRing(ring: string, service: string): string {
  const entries = ring.split(',').map((entry) => entry.trim());
  const own = entries.map((entry) => {
    const [version = '', key = ''] = entry.split(':');
    const derived = hkdfSync('sha256', Buffer.from(key, 'base64'), '', `what ${service} stores`, 32);
    return `v${OWN + Number(version.slice(1))}:${Buffer.from(derived).toString('base64')}`;
  });
  return [...entries, ...own].join();
}
