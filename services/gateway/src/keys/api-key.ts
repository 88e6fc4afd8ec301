import type { Grant } from '@svc/contracts/account/vocabulary';
import type { Doc } from '@svc/document-store';
import { type Env, millisOf } from '@svc/kernel';

/** One key with its one or two values. `_id` is `key_…`. The hashes of both values are in this document, so that a rotation is one write. */
export interface ApiKey extends Doc {
  account: string;
  env: Env;
  name: string;
  permissions: Grant[];
  /** First characters of the current value. */
  start: string;
  /** Hash of the current value. */
  current: string;
  /** Hash of the previous value, valid until `previous_until`. */
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
}

/** When the value with this hash expires, in milliseconds since 1970 (Infinity: never). undefined: it is not valid now. */
export function goodUntil(key: ApiKey, hash: string, now: number): number | undefined {
  if (key.deleted_at !== null) return undefined;
  const expiry = key.expires_at === null ? Infinity : millisOf(key.expires_at);
  const until = hash === key.current ? expiry : hash === key.previous ? Math.min(expiry, key.previous_until ?? 0) : 0;
  return until > now ? until : undefined;
}
