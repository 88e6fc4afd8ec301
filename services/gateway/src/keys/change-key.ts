import type { Grant } from '@svc/contracts/account/vocabulary';
import { canonicalTimestamp } from '@svc/contracts/schema/decorators/times';
import { compareAndSet } from '@svc/document-store';
import { type Actor, type Env, invalid, iso, millisOf, notFound, DomainError, sameJson } from '@svc/kernel';
import { changesOf, checkVersion, type IfMatch, withChange } from '@svc/service';
import { type ApiKey, shownVersion, keyChange } from './api-key.ts';
import type { KeysContext } from './context.ts';

/** A key within an account and environment; without one, of either. A key of another one is not_found. */
export interface KeyOf {
  account: string;
  env?: Env | undefined;
  id: string;
}

export interface By {
  actor: Actor;
  requestId?: string | undefined;
  /** Permissions of the caller, who cannot grant more than these. A member’s are those of the key's environment. */
  permissions: readonly string[] | ((env: Env) => readonly string[]);
  /** Present: a live key that this caller changes sees no more personal data than the caller. */
  personalData?: false | undefined;
  ifMatch?: IfMatch;
  /** Throws where the key must not become `next`. */
  approve?(now: ApiKey, next: ApiKey): void;
}

/** A missing field stays as it is. */
export interface KeyChange {
  name?: string;
  permissions?: Grant[];
  expires_at?: string | null;
  allowed_ips?: string[] | null;
}

const AUDITED = ['name', 'permissions', 'expires_at', 'allowed_ips', 'personal_data'] as const;

/**
 * Changes name, permissions or expiry of a key. Other processes apply it within 5 s. Who lengthens a key holds all its permissions: its value may be in hands
 * that it was ended for. Throws not_found, version_conflict, validation_error for an expiry in the past, invalid_state for a new one of a key that has expired,
 * insufficient_permissions for more than the caller's own key has.
 */
export async function changeKey(context: KeysContext, of: KeyOf, change: KeyChange, by: By): Promise<ApiKey> {
  const { store, clock } = context;
  const callers = by.actor.type === 'api_key' ? await store.keys.get(by.actor.id) : undefined;
  const { doc, changed } = await compareAndSet(store.keys, of.id, {
    absent,
    change(key) {
      own(key, of);
      checkVersion(by.ifMatch, shownVersion(key));
      const set = { ...differences(key, change), ...personalDataOf(key, by) };
      by.approve?.(key, { ...key, ...set });
      if (Object.keys(set).length === 0) return undefined;
      const held = heldBy(key._id === callers?._id ? key : callers, permissionsOf(by, key.env));
      allowPermissions(set.permissions ?? [], held.permissions);
      if (set.expires_at !== undefined) {
        allowExpiry(key, set.expires_at, held.until, clock.now());
        if (timeOf(set.expires_at) > timeOf(key.expires_at)) allowPermissions(key.permissions, held.permissions);
      }
      if (callers === undefined) allowPermissions(key.permissions, held.permissions);
      const next = { ...key, ...set };
      const entry = keyChange(next, 'updated', by, changesOf(AUDITED, key, next));
      return { ...set, ...asChanged(key, clock.now()), ...withChange(key, entry, context) };
    },
  });
  if (changed) context.forget(of.id);
  return doc;
}

/**
 * Revokes a key: neither of its values is valid any more (in other processes within 5 s). Throws not_found, version_conflict, and insufficient_permissions for a
 * member who lacks a permission of it: who cannot make a key ends none. A key with `api_keys:write` ends any.
 */
export async function revokeKey(
  context: KeysContext,
  of: KeyOf,
  by: Pick<By, 'actor' | 'requestId' | 'permissions' | 'ifMatch'>,
): Promise<ApiKey> {
  const { actor, requestId, ifMatch } = by;
  const { doc } = await compareAndSet(context.store.keys, of.id, {
    absent,
    change(key) {
      own(key, of);
      checkVersion(ifMatch, shownVersion(key));
      if (actor.type === 'member') allowPermissions(key.permissions, permissionsOf(by, key.env));
      const entry = keyChange(key, 'deleted', { actor, requestId });
      return { deleted_at: iso(context.clock.now()), ...asChanged(key, context.clock.now()), ...withChange(key, entry, context) };
    },
  });
  context.forget(of.id);
  return doc;
}

export const missing = (): DomainError => notFound('API key');

const absent = (): never => {
  throw missing();
};

export function own(key: ApiKey, { account, env }: KeyOf): void {
  if (key.account !== account || (env !== undefined && key.env !== env) || key.deleted_at !== null) throw missing();
}

/** Of every change that is shown. */
export const asChanged = (key: ApiKey, now: number): Pick<ApiKey, 'revision' | 'updated_at'> => ({
  revision: shownVersion(key) + 1,
  updated_at: iso(now),
});

export const personalDataOf = (key: ApiKey, { personalData }: Pick<By, 'personalData'>): { personal_data?: false } =>
  personalData === false && key.env === 'live' && key.personal_data !== false ? { personal_data: false } : {};

function differences(key: ApiKey, { name, permissions, expires_at: expiry, allowed_ips: ips }: KeyChange): KeyChange {
  const until = expiry === undefined || expiry === null ? expiry : canonicalTimestamp(expiry);
  return {
    ...(name !== undefined && name !== key.name && { name }),
    ...(permissions !== undefined && permissions.join() !== key.permissions.join() && { permissions }),
    ...(until !== undefined && until !== key.expires_at && { expires_at: until }),
    ...(ips !== undefined && !sameJson(ips, key.allowed_ips ?? null) && { allowed_ips: ips }),
  };
}

/** Of the caller, in the environment of a key. */
const permissionsOf = ({ permissions }: Pick<By, 'permissions'>, env: Env): readonly string[] =>
  typeof permissions === 'function' ? permissions(env) : permissions;

/** Throws insufficient_permissions for what is not held. */
export function allowPermissions(permissions: readonly string[], held: readonly string[]): void {
  const lacking = held.includes('*') ? [] : permissions.filter((permission) => !held.includes(permission));
  if (lacking.length > 0) throw cannotGive(`what it does not have: ${lacking.join(', ')}`);
}

/** Milliseconds since 1970; Infinity: never. */
const timeOf = (expiry: string | null): number => (expiry === null ? Infinity : millisOf(expiry));

/** `callers`: expiry of the caller's own key, in milliseconds since 1970; Infinity: never. */
function allowExpiry(key: ApiKey, expiry: string | null, callers: number, now: number): void {
  const until = timeOf(expiry);
  if (timeOf(key.expires_at) <= now)
    throw new DomainError('invalid_state', `This key expired at ${key.expires_at}, and what has expired stays so. Make another key.`);
  if (until <= now) throw invalid({ expires_at: ['Send a moment in the future. To end the key now, delete it.'] });
  if (until > callers) throw cannotGive(`a later expiry than its own, ${iso(callers)}`);
}

/**
 * Permissions and expiry (milliseconds since 1970) of the caller's key as it is stored now. The cached caller is up to 5 s old, and the key
 * may have fewer permissions since. Members and operators have no key. Throws invalid_api_key when the key was revoked.
 */
function heldBy(key: ApiKey | undefined, permissions: readonly string[]): { permissions: readonly string[]; until: number } {
  if (key === undefined) return { permissions, until: Infinity };
  if (key.deleted_at !== null) throw new DomainError('invalid_api_key', 'This key was revoked. Use another one.');
  return { permissions: key.permissions, until: timeOf(key.expires_at) };
}

const cannotGive = (what: string): DomainError =>
  new DomainError('insufficient_permissions', `This key cannot give ${what}. Use one that has it.`);
