import { compareAndSet } from '@svc/document-store';
import { type Actor, iso, millisOf, notFound, DomainError, type Uid } from '@svc/kernel';
import { changesOf, withChange } from '@svc/service';
import { type ApiKey, keyChange } from './api-key.ts';
import { asChanged, personalDataOf } from './change-key.ts';
import type { KeysContext } from './context.ts';
import { newKeyValue, startOfKeyValue } from './key-format.ts';

export interface Rotating {
  id: string;
  /** Hash of the value in the request; null: a member rotates it, whom `by` judges. */
  credentialHash: string | null;
  command: Uid;
  graceSeconds: number;
  actor: Actor;
  requestId?: string | undefined;
  /** Of a member. `judge` throws where it may not. */
  by?: { judge(key: ApiKey): void; personalData?: false | undefined } | undefined;
}

export interface Rotation {
  key: ApiKey;
  /** The new value, returned once. */
  value: string;
}

/**
 * Gives a key a new value. The current value stays valid for `graceSeconds` (0: it is forgotten, whatever the clock says), an older one ends. Repeating the command, whose answer was never
 * sent, replaces the unseen value and keeps the grace period. `credentialHash` is the hash of the value in the request. Throws not_found, and
 * insufficient_permissions unless that hash is the stored current one, so that a value that leaked before a rotation cannot take over the key.
 */
export async function rotateKey(context: KeysContext, rotation: Rotating): Promise<Rotation> {
  const { store, peppers, clock } = context;
  const { id, credentialHash, command, graceSeconds, actor, requestId, by } = rotation;
  const absent = (): never => {
    throw notFound('API key');
  };
  let value = '';
  const change = (old: ApiKey) => {
    if (old.deleted_at !== null) absent();
    by?.judge(old);
    const isRepeat = old.rotated_by === command;
    if (!isRepeat && credentialHash !== null && old.current !== credentialHash) throw onlyCurrent();
    value = newKeyValue(old.env);
    const fresh = {
      current: peppers.hash(value),
      start: startOfKeyValue(value),
      ...asChanged(old, clock.now()),
      ...personalDataOf(old, by ?? {}),
    };
    if (isRepeat) return fresh;
    const ended = { previous: graceSeconds === 0 ? null : old.current, previous_until: clock.now() + graceSeconds * 1000 };
    const rotated = { ...fresh, rotated_by: command, ...ended };
    const changes = changesOf(['start', 'previous_until'], old, { ...old, ...rotated });
    return { ...rotated, ...withChange(old, keyChange(old, 'rotated', { actor, requestId }, changes), context) };
  };
  const { doc: key } = await compareAndSet(store.keys, id, { absent, change });
  context.forget(id);
  return { key, value };
}

const onlyCurrent = (): DomainError =>
  new DomainError(
    'insufficient_permissions',
    'This key was rotated: its previous value cannot rotate it. Use the present value. If the answer of the rotation was lost, repeat that request with its Idempotency-Key.',
  );

/** When the previous value expires, ISO 8601: with its grace period or with the key, whichever is first. null: there is none. */
export function previousExpiry({ previous_until: until, expires_at: expiry }: ApiKey): string | null {
  if (until === null) return null;
  return expiry !== null && millisOf(expiry) < until ? expiry : iso(until);
}
