import type { Grant } from '@svc/contracts/account/vocabulary';
import { type Actor, DomainError, type Env, invalid, iso, prefixed, type Uid } from '@svc/kernel';
import { changesOf, storedActor, withChange } from '@svc/service';
import { type ApiKey, keyChange } from './api-key.ts';
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
  allowedIps?: string[] | null;
  /** false: it reads null for personal data. */
  personalData?: false | undefined;
}

export interface CreatedBy {
  actor: Actor;
  requestId?: string | undefined;
  /** What is created has its id; of a request. */
  command?: Uid | undefined;
}

/** Keys of an account that are not revoked, of both environments. */
const MOST_KEYS = 1_000;

/** Creates a key. The value is returned once: only its hash is stored. Repeating the command, whose answer was lost, gives the same key another value. Throws validation_error beyond 1,000 keys. */
export async function createKey(context: KeysContext, input: NewKey, by: CreatedBy): Promise<{ key: ApiKey; value: string }> {
  const { store, peppers, clock, ids } = context;
  const { actor, requestId, command = ids.next() } = by;
  const value = newKeyValue(input.env);
  const at = iso(clock.now());
  const key: ApiKey = {
    ...{ _id: prefixed('key', command), version: 1, revision: 1, account: input.account, env: input.env, name: input.name },
    ...{ permissions: input.permissions, start: startOfKeyValue(value), current: peppers.hash(value) },
    ...{
      previous: null,
      previous_until: null,
      rotated_by: null,
      expires_at: input.expiresAt,
      deleted_at: null,
      created_at: at,
      updated_at: at,
      due_at: null,
    },
    ...{
      created_by: storedActor(actor),
      allowed_ips: input.allowedIps ?? null,
      ...(input.personalData === false && { personal_data: false as const }),
    },
  };
  const changes = changesOf(['name', 'permissions', 'env', 'expires_at', 'allowed_ips'], undefined, key);
  await refuseTooMany(context, key);
  if (await store.keys.insert({ ...key, ...withChange(undefined, keyChange(key, 'created', { actor, requestId }, changes), context) }))
    return { key, value };
  const made = await store.keys.get(key._id);
  const [again] = made
    ? await store.keys.claim({ _id: key._id, version: made.version }, { set: { current: key.current, start: key.start } })
    : [];
  if (!again)
    throw new DomainError('service_unavailable', 'The key is being made. Repeat the request with the same Idempotency-Key.', undefined, 1);
  context.forget(key._id);
  return { key: again, value };
}

/** A repeat of the command that made the key is none more. Keys made at once may exceed it by as many. */
async function refuseTooMany({ store }: Pick<KeysContext, 'store'>, { _id, account }: ApiKey): Promise<void> {
  if ((await store.keys.count({ account, deleted_at: null })) < MOST_KEYS || (await store.keys.get(_id))) return;
  throw invalid({ name: [`An account has at most ${MOST_KEYS} keys: revoke those that are no longer used.`] });
}
