import { compareAndSet } from '@svc/document-store';
import { DomainError, iso } from '@svc/kernel';
import type { MembersContext } from './context.ts';
import type { User } from './user.ts';

type Context = Pick<MembersContext, 'people' | 'clock'>;

/** 30 days, in milliseconds: how long a removed member, and a user who is in no account, are kept by name. */
export const KEPT_MS = 30 * 86_400_000;

/** A user is in so many accounts at most. */
export const MOST_ACCOUNTS = 500;

/** Whether a user is in no other account, which then may give it a new password. */
export const isInNoOther = ({ accounts }: Pick<User, 'accounts'>, account: string): boolean => accounts.every((one) => one === account);

/**
 * Adds an account to those of a user, before its member joins: whoever judges a user by its accounts sees those that are being joined. What a crash leaves is an
 * account too many, until the member is forgotten. A user without a password joins no second account, whose link would be good for the first: `taken` is thrown.
 */
export async function enterAccount({ people, clock }: Context, user: string, account: string, taken: () => DomainError): Promise<void> {
  await compareAndSet<User, User>(people.users, user, {
    absent() {
      throw taken();
    },
    change(now) {
      if (now.password === null && !isInNoOther(now, account)) throw taken();
      if (now.accounts.includes(account)) return undefined;
      if (now.accounts.length >= MOST_ACCOUNTS) throw new DomainError('invalid_state', `A person is in ${MOST_ACCOUNTS} accounts at most.`);
      return { accounts: [...now.accounts, account], updated_at: iso(clock.now()) };
    },
  });
}

/** Removes an account from those of a user, after its member is removed. Who is in none is forgotten some time later. */
export async function leaveAccount({ people, clock }: Context, user: string, account: string): Promise<void> {
  await compareAndSet<User, undefined>(people.users, user, {
    absent: () => undefined,
    change: ({ accounts }) => {
      const left = accounts.filter((one) => one !== account);
      if (left.length === accounts.length) return undefined;
      return { accounts: left, updated_at: iso(clock.now()), ...(left.length === 0 && { due_at: clock.now() + KEPT_MS }) };
    },
  });
}
