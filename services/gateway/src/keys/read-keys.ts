import type { ApiKeyResource } from '@svc/contracts/account/resource';
import { iso } from '@svc/kernel';
import { PIECE } from '@svc/service';
import { type ApiKey, type KeyUse, shownVersion } from './api-key.ts';
import { type KeyOf, missing, own } from './change-key.ts';
import { previousExpiry } from './rotate-key.ts';
import type { AccountStore } from './store.ts';

export async function readKey(store: AccountStore, of: KeyOf): Promise<ApiKeyResource> {
  const key = await store.keys.get(of.id);
  if (key === undefined) throw missing();
  own(key, of);
  return keyResource(key, await store.uses.get(of.id));
}

interface UsedKey {
  key: ApiKey;
  use: KeyUse | undefined;
}

/** Keys of an account: those of one environment, or of both. */
interface KeysOf {
  account: string;
  env?: KeyOf['env'];
}

/** One page of the keys that are not revoked, newest first, with their total, as `listPage` takes it. */
export async function listKeys(store: AccountStore, { account, env }: KeysOf, page: number, perPage: number) {
  const filter = { account, ...(env && { env }), deleted_at: null };
  const { docs, left } = await store.keys.page(filter, { sort: { _id: -1 }, skip: (page - 1) * perPage, limit: perPage }, PIECE);
  return {
    total: await store.keys.count(filter),
    page: { docs: await withUses(store, docs), left },
    async *read(ids: string[], bytes: number): AsyncGenerator<UsedKey[]> {
      for await (const keys of store.keys.read(ids, filter, bytes)) yield withUses(store, keys);
    },
    toResource: ({ key, use }: UsedKey) => keyResource(key, use),
  };
}

async function withUses({ uses }: AccountStore, keys: ApiKey[]): Promise<UsedKey[]> {
  const used = new Map<string, KeyUse>();
  for await (const use of uses.find({ _id: { $in: keys.map(({ _id }) => _id) } }, { limit: keys.length })) used.set(use._id, use);
  return keys.map((key) => ({ key, use: used.get(key._id) }));
}

/** A key as the interface shows it, without its value. */
export const keyResource = (key: ApiKey, use?: KeyUse): ApiKeyResource => ({
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
  version: shownVersion(key),
});
