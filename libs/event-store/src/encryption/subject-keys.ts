import { createSecretKey, randomBytes, type KeyObject } from 'node:crypto';
import type { Collection, Doc } from '@svc/document-store';
import { DomainError, systemClock, type Clock, isFresh, recentlyUsed } from '@svc/kernel';
import type { SubjectKeys } from './encrypted-event-store.ts';

/** The collection of keys. Ciphertexts are bound to it by its name. */
export const SUBJECT_KEYS = 'subject_keys';

/** The encrypted key of the subject `_id`; null once it was destroyed, so that it is not created again. */
export interface SubjectKey extends Doc {
  sealed: string | null;
}

/** Encrypts the keys: the service's key ring. */
export interface Secrets {
  encrypt(plain: Uint8Array): string;
  /** `row`: where the ciphertext is stored; one that is bound to another row is not decrypted. */
  decrypt(ciphertext: string, row: { collection: string; id: string }): Buffer;
}

export interface SubjectKeysOptions {
  collection: Collection<SubjectKey>;
  secrets: Secrets;
  clock?: Clock;
}

/** Nothing more can be stored about a subject whose key was destroyed. */
export class PersonalDataErased extends DomainError {
  constructor() {
    super('not_found', 'The personal data of this resource was erased.');
  }
}

/** How long another process may use a key that was destroyed here. */
const KEPT_FOR_MS = 5_000;
const KEPT = 10_000;

/** Keys of subjects in a collection (`subject_keys`); recently used ones are cached. */
export function documentSubjectKeys({ collection, secrets, clock = systemClock }: SubjectKeysOptions): SubjectKeys {
  const kept = recentlyUsed<{ key: KeyObject | undefined; at: number }>(KEPT);

  function keep(subject: string, key: KeyObject | undefined): KeyObject | undefined {
    kept.set(subject, { key, at: clock.now() });
    return key;
  }

  async function forReading(subject: string): Promise<KeyObject | undefined> {
    const found = kept.get(subject);
    if (found && isFresh(found.at, clock.now(), KEPT_FOR_MS)) return found.key;
    const doc = await collection.get(subject);
    if (!doc) return undefined; // not cached: it may be created at any moment
    return keep(
      subject,
      doc.sealed === null ? undefined : createSecretKey(secrets.decrypt(doc.sealed, { collection: SUBJECT_KEYS, id: subject })),
    );
  }

  async function make(subject: string): Promise<KeyObject | undefined> {
    const bytes = randomBytes(32);
    const isMade = await collection.insert({ _id: subject, version: 1, sealed: secrets.encrypt(bytes) });
    return isMade ? keep(subject, createSecretKey(bytes)) : forReading(subject);
  }

  return {
    forReading,

    async forWriting(subject) {
      const key = (await forReading(subject)) ?? (await make(subject));
      if (!key) throw new PersonalDataErased();
      return key;
    },

    async destroy(subject) {
      const [destroyed] = await collection.claim({ _id: subject }, { set: { sealed: null } });
      const isDone = destroyed ?? (await collection.insert({ _id: subject, version: 1, sealed: null }));
      if (!isDone) await collection.claim({ _id: subject }, { set: { sealed: null } }); // created meanwhile by another process
      keep(subject, undefined);
    },
  };
}
