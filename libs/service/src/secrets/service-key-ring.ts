import { hkdfSync } from 'node:crypto';

/** The keys of a system of several services, as rings in the form that `parseKeyRing` reads. */
export interface SystemKeys {
  /** Each service's own keys are derived from them; no service gets them. The newest key of the last ring encrypts. */
  root: string[];
  /** They open what an earlier release stored; every service gets them, so nothing that is stored from now on depends on them. */
  old: string[];
}

/** Added to the number of a key for the one derived from it; an earlier release stored under `v1000001` with what it derived from `v1`. */
const OF_OLD = 1_000_000;
const OF_ROOT = 900_000_000;

/**
 * The ring of one service: its newest key derived from the root (HKDF-SHA256, by the service's name) encrypts; the other ones, old keys, and
 * what is derived from those for this service, decrypt alone. Keys are numbered anew, whatever their versions are.
 */
export function serviceKeyRing({ root, old }: SystemKeys, service: string): string {
  const before = old.flatMap(keysOf);
  const derived = (key: Buffer): Buffer => Buffer.from(hkdfSync('sha256', key, '', `what ${service} stores`, 32));
  return [...numbered(before, 0), ...numbered(before.map(derived), OF_OLD), ...numbered(root.flatMap(keysOf).map(derived), OF_ROOT)].join();
}

/** Whether a key is in rings of both, under whatever version. */
export function shareKey(some: string[], others: string[]): boolean {
  const keys = others.flatMap(keysOf);
  return some.flatMap(keysOf).some((key) => keys.some((same) => same.equals(key)));
}

/** The newest last. */
const keysOf = (ring: string): Buffer[] =>
  ring
    .split(',')
    .map((entry) => entry.trim().split(':'))
    .map(([version = '', key = '']) => ({ version: Number(version.slice(1)), key: Buffer.from(key, 'base64') }))
    .sort((a, b) => a.version - b.version)
    .map(({ key }) => key);

const numbered = (keys: Buffer[], after: number): string[] => keys.map((key, n) => `v${after + n + 1}:${key.toString('base64')}`);
