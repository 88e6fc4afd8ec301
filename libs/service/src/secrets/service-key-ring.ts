import { hkdfSync } from 'node:crypto';

/** Added to the version of a key for the version of a derived one. */
const OF_ROOT = 900_000_000;

/**
 * The ring of one service in the form of `parseKeyRing`, derived from root keys that no service gets (HKDF-SHA256, by the service's name). The newest key
 * of the last ring encrypts, the others decrypt. Keys are renumbered, whatever their versions are.
 */
export function serviceKeyRing(root: readonly string[], service: string): string {
  return root
    .flatMap(keysOf)
    .map(({ key }) => Buffer.from(hkdfSync('sha256', key, '', `what ${service} stores`, 32)).toString('base64'))
    .map((key, n) => `v${OF_ROOT + n + 1}:${key}`)
    .join();
}

/** A key of a ring, with its version there. */
export interface RootKey {
  version: number;
  key: Buffer;
}

/** The keys of a ring, the newest last. */
export const keysOf = (ring: string): RootKey[] =>
  ring
    .split(',')
    .map((entry) => entry.trim().split(':'))
    .map(([version = '', key = '']) => ({ version: Number(version.slice(1)), key: Buffer.from(key, 'base64') }))
    .sort((a, b) => a.version - b.version);
