import { type Incomplete } from '@svc/contracts/console/routes';
import type { Account } from '../accounts/account.ts';
import type { Member } from '../members/member.ts';
import { hasTotp, type User } from '../members/user.ts';
import type { Session } from './session.ts';

/** A session with whom it is of, as they were looked up. Not to be changed, but for `usedAt`. */
export interface SessionView {
  readonly session: Session;
  readonly user: User;
  readonly member: Member;
  readonly account: Account;
  /** Milliseconds since 1970. */
  usedAt: number;
}

/** What the session lacks; undefined: it is complete. The code comes first: without it nobody sets a password. */
export function lackOf({ session, user, account }: SessionView): Incomplete | undefined {
  if (session.must_enter_code && hasTotp(user)) return 'code';
  if (session.must_set_password || user.password === null) return 'password';
  return account.require_totp === true && !hasTotp(user) ? 'totp' : undefined;
}
