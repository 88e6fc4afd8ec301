import type { Grant } from '@svc/contracts/account/vocabulary';
import type { Doc } from '@svc/document-store';
import { type Actor, type Env, millisOf, waitGoesOn } from '@svc/kernel';
import type { Audited, Change } from '@svc/service';

/** One key with its one or two values. `_id` is `key_…`. The hashes of both values are in this document, so that a rotation is one write. */
export interface ApiKey extends Audited {
  /** Counts changes of what is shown; absent: `version` does (until 0.3: keys of 0.1.0). */
  revision?: number | undefined;
  /** Who made it; absent: not known. */
  created_by?: Actor | undefined;
  /** Addresses and networks that may use it; null or absent: any. */
  allowed_ips?: string[] | null | undefined;
  /** false: it reads null for personal data. */
  personal_data?: false | undefined;
  account: string;
  env: Env;
  name: string;
  permissions: Grant[];
  /** First characters of the current value. */
  start: string;
  current: string;
  /** Hash of the previous value, valid until `previous_until`; null: none is. */
  previous: string | null;
  /** Milliseconds since 1970. */
  previous_until: number | null;
  /** The command that rotated it last. */
  rotated_by: string | null;
  expires_at: string | null;
  deleted_at: string | null;
  created_at: string;
  updated_at: string;
}

/** The last use of a key. `_id` is the key's; `version` is the minute since 1970, so that an older use never overwrites a newer one. */
export interface KeyUse extends Doc {
  at: string;
  /** Address. */
  ip?: string | undefined;
}

/** The version of a key as it is shown: it does not count what happens inside. */
export const shownVersion = ({ revision, version }: Pick<ApiKey, 'revision' | 'version'>): number => revision ?? version;

/** A change of a key for the audit. */
export const keyChange = (
  { _id: id, name }: Pick<ApiKey, '_id' | 'name'>,
  verb: Change['verb'],
  { actor, requestId }: Pick<Change, 'actor' | 'requestId'>,
  changes: Change['changes'] = {},
): Change => ({ actor, requestId, type: 'api_key', verb, target: { id, name }, changes });

/** The longest grace period of a rotation. */
const LONGEST_GRACE_MS = 7 * 24 * 3_600_000;

/** When the value with this hash expires, in milliseconds since 1970 (Infinity: never). undefined: it is not valid now. */
export function goodUntil(key: ApiKey, hash: string, now: number): number | undefined {
  if (key.deleted_at !== null) return undefined;
  const expiry = key.expires_at === null ? Infinity : millisOf(key.expires_at);
  if (hash === key.current) return expiry > now ? expiry : undefined;
  const { previous, previous_until: until } = key;
  // A clock that was ahead at the rotation, and was set back since, gives the value before it no more than the longest grace.
  if (hash !== previous || until === null || !waitGoesOn(until, now, LONGEST_GRACE_MS)) return undefined;
  return expiry > now ? Math.min(expiry, until) : undefined;
}
