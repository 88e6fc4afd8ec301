import { compareAndSet } from '@svc/document-store';
import { type KeyRing } from '@svc/service';
import { hasTotp, type Totp, type User } from '../members/user.ts';
import type { SessionsContext } from './context.ts';
import { looksLikeRecovery, plainCode } from './recovery-codes.ts';
import { stepOf } from './totp.ts';

type Context = Pick<SessionsContext, 'people' | 'secrets' | 'peppers' | 'clock'>;

/** The collection of users. Ciphertexts are bound to it by its name. */
export const USERS = 'users';

export const sealedSecret = (secrets: KeyRing, secret: string): string => secrets.encrypt(secret);

/** Takes a code of the authenticator, or a recovery code, which is good once. False: it is none, was taken, or the user has no second factor. */
export async function takeCode(context: Context, user: string, code: string): Promise<boolean> {
  const { doc, changed } = await compareAndSet<User, undefined>(context.people.users, user, {
    absent: () => undefined,
    change(now) {
      const totp = hasTotp(now) ? afterCode(context, now, code) : undefined;
      return totp && { totp };
    },
  });
  return doc !== undefined && changed;
}

/** What is left of a second factor once a code is taken; undefined: it is none. */
function afterCode({ secrets, peppers, clock }: Context, { _id, totp }: User, code: string): Totp | undefined {
  if (totp === null) return undefined;
  if (looksLikeRecovery(code)) {
    const hashes = peppers.hashes(plainCode(code));
    const recovery = totp.recovery.filter((hash) => !hashes.includes(hash));
    return recovery.length < totp.recovery.length ? { ...totp, recovery } : undefined;
  }
  const secret = secrets.decrypt(totp.secret, { collection: USERS, id: _id }).toString('utf8');
  const step = stepOf(secret, code.replaceAll(/\s/g, ''), { now: clock.now(), taken: totp.step });
  return step === undefined ? undefined : { ...totp, step };
}
