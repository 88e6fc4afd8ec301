import { hkdfSync } from 'node:crypto';

/** The keys of a system of several services, as rings in the form of `parseKeyRing`. */
export interface SystemKeys {
  /** Root keys. The keys of each service are derived from them, and no service gets them. The newest key of the last ring encrypts. */
  root: string[];
  /** Keys that decrypt what an earlier release stored. Every service gets them, so they encrypt nothing. */
  old: string[];
}

/** Added to the version of a key for the version of a derived one: an earlier release encrypted as `v1000001` with the key derived from `v1`. */
const OF_OLD = 1_000_000;
const OF_ROOT = 900_000_000;

/**
 * The ring of one service. The newest key that is derived from the root (HKDF-SHA256, by the service's name) encrypts. The others, the old keys
 * and the keys derived from these only decrypt. Keys are renumbered, whatever their versions are.
 */
export function serviceKeyRing({ root, old }: SystemKeys, service: string): string {
  const before = old.flatMap(keysOf);
  const derived = (key: Buffer): Buffer => Buffer.from(hkdfSync('sha256', key, '', `what ${service} stores`, 32));
  return [...numbered(before, 0), ...numbered(before.map(derived), OF_OLD), ...numbered(root.flatMap(keysOf).map(derived), OF_ROOT)].join();
}

/** Whether both lists of rings contain a common key, under any version. */
export function shareKey(some: string[], others: string[]): boolean {
  const keys = others.flatMap(keysOf);
  return some.flatMap(keysOf).some((key) => keys.some((same) => same.equals(key)));
}

/** The keys of a ring, the newest last. */
const keysOf = (ring: string): Buffer[] =>
  ring
    .split(',')
    .map((entry) => entry.trim().split(':'))
    .map(([version = '', key = '']) => ({ version: Number(version.slice(1)), key: Buffer.from(key, 'base64') }))
    .sort((a, b) => a.version - b.version)
    .map(({ key }) => key);

const numbered = (keys: Buffer[], after: number): string[] => keys.map((key, n) => `v${after + n + 1}:${key.toString('base64')}`);
