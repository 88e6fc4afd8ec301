import { iso } from '@svc/kernel';
import type { ApiKey, KeyUse } from './api-key.ts';
import { type KeyOf, missing, own } from './change-key.ts';
import { previousExpiry } from './rotate-key.ts';
import type { AccountStore } from './store.ts';

export async function readKey(store: AccountStore, of: KeyOf): Promise<object> {
  const key = await store.keys.get(of.id);
  if (key === undefined) throw missing();
  own(key, of);
  return keyResource(key, await store.uses.get(of.id));
}

/** One page of the keys that are not revoked, newest first, and how many there are. */
export async function listKeys(
  store: AccountStore,
  of: Omit<KeyOf, 'id'>,
  page: number,
  perPage: number,
): Promise<{ total: number; data: object[] }> {
  const filter = { account: of.account, env: of.env, deleted_at: null };
  const keys: ApiKey[] = [];
  for await (const key of store.keys.find(filter, { sort: { _id: -1 }, skip: (page - 1) * perPage, limit: perPage })) keys.push(key);
  const used = new Map<string, KeyUse>();
  for await (const use of store.uses.find({ _id: { $in: keys.map(({ _id }) => _id) } }, { limit: perPage })) used.set(use._id, use);
  return { total: await store.keys.count(filter), data: keys.map((key) => keyResource(key, used.get(key._id))) };
}

/** What is shown of a key. Its value is not in it. */
export const keyResource = (key: ApiKey, use?: KeyUse): object => ({
  id: key._id,
  object: 'api_key',
  livemode: key.env === 'live',
  name: key.name,
  start: key.start,
  permissions: key.permissions,
  expires_at: key.expires_at,
  previous_expires_at: previousExpiry(key),
  last_used_at: use ? iso(use.version * 60_000) : null,
  created_at: key.created_at,
  updated_at: key.updated_at,
  deleted_at: key.deleted_at,
  version: key.version,
});
