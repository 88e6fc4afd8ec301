import { compareAndSet } from '@svc/document-store';
import { type Actor, iso, millisOf, notFound, Refusal, type Uid } from '@svc/kernel';
import type { ApiKey } from './api-key.ts';
import { audit } from './audit.ts';
import type { AccountsContext } from './context.ts';
import { newKeyValue, startOfKeyValue } from './key-format.ts';

export interface Rotation {
  key: ApiKey;
  /** The new value, shown this once. */
  value: string;
}

/**
 * Gives a key a new value; the one before stays good for `graceSeconds`, the one before that ends. The same command again (its
 * answer was never sent) does not rotate twice: the value that nobody saw is replaced, and the grace period stays as it was.
 * `credentialHash` is the hash of the value that the caller presented. Throws insufficient_permissions unless it is the current one, as
 * the store has it now, so that a value that leaked before a rotation cannot take the key over.
 */
export async function rotateKey(
  context: AccountsContext,
  rotation: { id: string; credentialHash: string; command: Uid; graceSeconds: number; actor: Actor },
): Promise<Rotation> {
  const { store, peppers, clock } = context;
  const { id, credentialHash, command, graceSeconds, actor } = rotation;
  const absent = (): never => {
    throw notFound('API key');
  };
  let value = '';
  const change = (old: ApiKey) => {
    if (old.deleted_at !== null) absent();
    const isRepeat = old.rotated_by === command;
    if (!isRepeat && old.current !== credentialHash) throw onlyCurrent();
    value = newKeyValue(old.env);
    const fresh = { current: peppers.hash(value), start: startOfKeyValue(value), updated_at: iso(clock.now()) };
    if (isRepeat) return fresh;
    return { ...fresh, rotated_by: command, previous: old.current, previous_until: clock.now() + graceSeconds * 1000 };
  };
  const { doc: key } = await compareAndSet(store.keys, id, { absent, change });
  context.forget();
  const changes = { start: key.start, previous_expires_at: previousExpiry(key) };
  await audit(context, { account: key.account, actor, action: 'api_key.rotated', target: id, changes });
  return { key, value };
}

const onlyCurrent = (): Refusal =>
  new Refusal(
    'insufficient_permissions',
    'This key was rotated: its previous value cannot rotate it. Use the present value. If the answer of the rotation was lost, repeat that request with its Idempotency-Key.',
  );

/** When the value before the current one ends, ISO 8601: with its grace period or with the key, whichever is first; null: there is none. */
export function previousExpiry({ previous_until: until, expires_at: expiry }: ApiKey): string | null {
  if (until === null) return null;
  return expiry !== null && millisOf(expiry) < until ? expiry : iso(until);
}
