import { hkdfSync } from 'node:crypto';

/** The keys of a system of several services, as rings in the form that `parseKeyRing` reads. */
export interface SystemKeys {
  /** Each service's own keys are derived from it; no service gets it. */
  root: string;
  /** Opens what an earlier release stored; every service gets it, so nothing that is stored from now on depends on it. */
  old?: string | undefined;
}

/**
 * What is added to the version of a key for the one derived from it, beyond every version that an operator gives, dates as `v20261122`
 * included. An earlier release derived from the key that it handed out, and stored under `v1000001` and up.
 */
const OF_OLD = 1_000_000;
const OF_ROOT = 900_000_000;
const HIGHEST = 99_999_999;

/**
 * The ring of one service: its newest key derived from the root (HKDF-SHA256, by the service's name) encrypts; old keys, and what an earlier
 * release derived from them for this service, decrypt alone. Throws a RangeError where a key has a version above v99999999.
 */
export function serviceKeyRing({ root, old }: SystemKeys, service: string): string {
  const before = old === undefined ? [] : keysOf(old);
  return [...before, ...derived(before, service, OF_OLD), ...derived(keysOf(root), service, OF_ROOT)]
    .map(({ version, key }) => `v${version}:${key.toString('base64')}`)
    .join();
}

/** Whether a key is in both rings, under whatever version. */
export function shareKey(one: string, other: string): boolean {
  const others = keysOf(other).map(({ key }) => key);
  return keysOf(one).some(({ key }) => others.some((same) => same.equals(key)));
}

interface Key {
  version: number;
  key: Buffer;
}

const keysOf = (ring: string): Key[] =>
  ring.split(',').map((entry) => {
    const [version = '', key = ''] = entry.trim().split(':');
    const number = Number(version.slice(1));
    if (number > HIGHEST) throw new RangeError(`SECRETS_KEY has versions up to v${HIGHEST}, and not ${version}`);
    return { version: number, key: Buffer.from(key, 'base64') };
  });

const derived = (keys: Key[], service: string, offset: number): Key[] =>
  keys.map(({ version, key }) => ({
    version: offset + version,
    key: Buffer.from(hkdfSync('sha256', key, '', `what ${service} stores`, 32)),
  }));
