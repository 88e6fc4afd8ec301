import type { Grant } from '@svc/contracts/account/vocabulary';
import { canonicalTimestamp } from '@svc/contracts/schema/decorators/times';
import { compareAndSet } from '@svc/document-store';
import { type Actor, type Env, invalid, iso, millisOf, notFound, DomainError } from '@svc/kernel';
import { checkVersion, type IfMatch } from '@svc/service';
import type { ApiKey } from './api-key.ts';
import { audit } from '../audit/audit.ts';
import type { KeysContext } from './context.ts';

/** A key within an account and environment. A key of another one is not_found. */
export interface KeyOf {
  account: string;
  env: Env;
  id: string;
}

export interface By {
  actor: Actor;
  /** Permissions of the caller, who cannot grant more than these. */
  permissions: readonly string[];
  ifMatch?: IfMatch;
  /** Throws where the key must not become `next`. */
  approve?(now: ApiKey, next: ApiKey): void;
}

/** A missing field stays as it is. */
export interface KeyChange {
  name?: string;
  permissions?: Grant[];
  expires_at?: string | null;
}

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
      checkVersion(by.ifMatch, key.version);
      const set = differences(key, change);
      by.approve?.(key, { ...key, ...set });
      if (Object.keys(set).length === 0) return undefined;
      const held = heldBy(key._id === callers?._id ? key : callers, by);
      allowPermissions(set.permissions ?? [], held.permissions);
      if (set.expires_at !== undefined) {
        allowExpiry(key, set.expires_at, held.until, clock.now());
        if (timeOf(set.expires_at) > timeOf(key.expires_at)) allowPermissions(key.permissions, held.permissions);
      }
      return { ...set, updated_at: iso(clock.now()) };
    },
  });
  if (changed) {
    context.forget();
    await audit(context, { account: of.account, actor: by.actor, action: 'api_key.changed', target: of.id, changes: { ...change } });
  }
  return doc;
}

/** Revokes a key: neither of its values is valid any more (in other processes within 5 s). Throws not_found, version_conflict. */
export async function revokeKey(context: KeysContext, of: KeyOf, { actor, ifMatch }: Pick<By, 'actor' | 'ifMatch'>): Promise<ApiKey> {
  const { doc } = await compareAndSet(context.store.keys, of.id, {
    absent,
    change(key) {
      own(key, of);
      checkVersion(ifMatch, key.version);
      const at = iso(context.clock.now());
      return { deleted_at: at, updated_at: at };
    },
  });
  context.forget();
  await audit(context, { account: of.account, actor, action: 'api_key.revoked', target: of.id, changes: {} });
  return doc;
}

export const missing = (): DomainError => notFound('API key');

const absent = (): never => {
  throw missing();
};

export function own(key: ApiKey, { account, env }: KeyOf): void {
  if (key.account !== account || key.env !== env || key.deleted_at !== null) throw missing();
}

function differences(key: ApiKey, { name, permissions, expires_at: expiry }: KeyChange): KeyChange {
  const until = expiry === undefined || expiry === null ? expiry : canonicalTimestamp(expiry);
  return {
    ...(name !== undefined && name !== key.name && { name }),
    ...(permissions !== undefined && permissions.join() !== key.permissions.join() && { permissions }),
    ...(until !== undefined && until !== key.expires_at && { expires_at: until }),
  };
}

function allowPermissions(permissions: readonly string[], held: readonly string[]): void {
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
function heldBy(key: ApiKey | undefined, { permissions }: By): { permissions: readonly string[]; until: number } {
  if (key === undefined) return { permissions, until: Infinity };
  if (key.deleted_at !== null) throw new DomainError('invalid_api_key', 'This key was revoked. Use another one.');
  return { permissions: key.permissions, until: timeOf(key.expires_at) };
}

const cannotGive = (what: string): DomainError =>
  new DomainError('insufficient_permissions', `This key cannot give ${what}. Use one that has it.`);
