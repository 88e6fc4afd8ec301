import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DomainError } from '@svc/kernel';
import { parseKeyRing, serviceKeyRing, type KeyRing } from '@svc/service';
import { keysOf } from '@svc/service/secrets/service-key-ring';
import { noteKeyInUse } from './key-in-use.ts';
import { keepPrivately, syncFolder } from './private-files.ts';
import { ringsOf, SECRETS, type GivenSecrets, type Kept } from './secrets.ts';

/** The root keys of a running process: what is rotated counts at once. */
export interface RootKeys {
  /** The ring of a service, always with the keys of now. */
  ringOf(service: string): KeyRing;
  /** Adds a new key to secrets.json, which encrypts from then on. Returns its version. Throws `invalid_state` where SECRETS_KEY is given, which then has the newest key. */
  rotate(): { newest: string };
  /** Removes all keys but the newest from secrets.json. Call it once they decrypt nothing. Returns what the operator removes from SECRETS_KEY, if anything. */
  retire(): { retired: string[]; remove_from_SECRETS_KEY: string[] };
}

/** `first`: the rings at the start, as of `loadSecrets`. */
export function openRootKeys(folder: string, given: GivenSecrets, first: readonly string[]): RootKeys {
  let rings = first;
  const made = new Map<string, KeyRing>();
  const path = join(folder, SECRETS);
  const kept = (): Kept => JSON.parse(readFileSync(path, 'utf8')) as Kept;

  function current(service: string): KeyRing {
    const ring = made.get(service) ?? parseKeyRing(serviceKeyRing(rings, service));
    made.set(service, ring);
    return ring;
  }

  function keep(secrets: Partial<Kept>): void {
    keepPrivately(path, JSON.stringify(secrets, null, 2));
    const named = ringsOf(secrets, given);
    noteKeyInUse(folder, named);
    syncFolder(folder);
    rings = named.map(({ ring }) => ring);
    made.clear();
  }

  return {
    ringOf: (service) => ({
      encrypt: (plain) => current(service).encrypt(plain),
      decrypt: (ciphertext, row) => current(service).decrypt(ciphertext, row),
      stateOf: (ciphertext, row) => current(service).stateOf(ciphertext, row),
      sign: (purpose, text) => current(service).sign(purpose, text),
      hasSigned: (purpose, text, signature) => current(service).hasSigned(purpose, text, signature),
    }),

    rotate() {
      if (given.SECRETS_KEY !== undefined) throw new DomainError('invalid_state', withGiven(given.SECRETS_KEY));
      const { rootKey, ...others } = kept();
      const newest = nextVersion(rootKey);
      keep({ ...others, rootKey: `${rootKey},${newest}:${newKey()}` });
      return { newest };
    },

    retire() {
      const { rootKey, ...others }: Partial<Kept> = kept();
      // Absent once it was retired in favour of SECRETS_KEY.
      const [all, ofGiven] = [
        rootKey === undefined ? [] : keysOf(rootKey),
        given.SECRETS_KEY === undefined ? undefined : keysOf(given.SECRETS_KEY),
      ];
      const newest = all.at(-1);
      const stays = ofGiven || !newest ? undefined : `v${newest.version}:${newest.key.toString('base64')}`;
      keep({ ...others, ...(stays !== undefined && { rootKey: stays }) });
      const names = (keys: typeof all): string[] => keys.map(({ version }) => `v${version}`);
      return { retired: names(ofGiven ? all : all.slice(0, -1)), remove_from_SECRETS_KEY: names(ofGiven?.slice(0, -1) ?? []) };
    },
  };
}

/**
 * Keys that are not retired while a copy of the data is made that may need the older ones: secrets.json is copied last. Throws `invalid_state` then.
 */
export const retiring = (keys: RootKeys, isCopying: () => boolean): RootKeys => ({
  ...keys,
  retire() {
    if (isCopying())
      throw new DomainError(
        'invalid_state',
        'A backup is being made, or the continuous copy is behind: it may need the older keys. Repeat this when it has ended.',
      );
    return keys.retire();
  },
});

const newKey = (): string => randomBytes(32).toString('base64');
const nextVersion = (ring: string): string => `v${(keysOf(ring).at(-1)?.version ?? 0) + 1}`;

const withGiven = (ring: string): string =>
  `SECRETS_KEY gives the key that encrypts. Add one to it, such as ${nextVersion(ring)}:$(openssl rand -base64 32) behind a comma, and start again.`;
