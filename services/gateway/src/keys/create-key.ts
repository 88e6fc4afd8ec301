import type { Grant } from '@svc/contracts/account/vocabulary';
import { type Actor, type Env, iso, prefixed } from '@svc/kernel';
import type { ApiKey } from './api-key.ts';
import { audit } from '../audit/audit.ts';
import type { KeysContext } from './context.ts';
import { newKeyValue, startOfKeyValue } from './key-format.ts';

export interface NewKey {
  account: string;
  env: Env;
  name: string;
  /** Names from `permissions` of the contracts, or `*`. */
  permissions: Grant[];
  /** ISO 8601, or null: never. */
  expiresAt: string | null;
}

/** Creates a key. The value is returned once: only its hash is stored. */
export async function createKey(context: KeysContext, input: NewKey, actor: Actor): Promise<{ key: ApiKey; value: string }> {
  const { store, peppers, clock, ids } = context;
  const value = newKeyValue(input.env);
  const at = iso(clock.now());
  const key: ApiKey = {
    ...{ _id: prefixed('key', ids.next()), version: 1, account: input.account, env: input.env, name: input.name },
    ...{ permissions: input.permissions, start: startOfKeyValue(value), current: peppers.hash(value) },
    ...{
      previous: null,
      previous_until: null,
      rotated_by: null,
      expires_at: input.expiresAt,
      deleted_at: null,
      created_at: at,
      updated_at: at,
    },
  };
  await store.keys.insert(key);
  const { name, permissions, env, expires_at } = key;
  await audit(context, {
    account: key.account,
    actor,
    action: 'api_key.created',
    target: key._id,
    changes: { name, permissions, env, expires_at },
  });
  return { key, value };
}
