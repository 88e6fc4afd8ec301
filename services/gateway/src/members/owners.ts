import { compareAndSet } from '@svc/document-store';
import { DomainError } from '@svc/kernel';
import type { Account } from '../accounts/account.ts';
import type { MembersContext } from './context.ts';
import { isActive, type Member } from './member.ts';

type Context = Pick<MembersContext, 'store'>;

/**
 * The account holds the ids of its owners, so that of two who remove each other at once one stays. Whoever becomes one is added after the member is changed, and
 * whoever ceases to be one is taken out before: what a crash leaves is an owner who does not count as one until the next change.
 */
export async function keepOwner({ store }: Context, member: Member): Promise<void> {
  if (member.role !== 'owner' || !isActive(member)) return;
  await compareAndSet<Account, undefined>(store.accounts, member.account, {
    absent: () => undefined,
    change: ({ owners = [] }) => (owners.includes(member._id) ? undefined : { owners: [...owners, member._id] }),
  });
}

/** Throws invalid_state for the last owner. */
export async function releaseOwner({ store }: Context, member: Member): Promise<void> {
  if (member.role !== 'owner' || !isActive(member)) return;
  await compareAndSet<Account, undefined>(store.accounts, member.account, {
    absent: () => undefined,
    change({ owners = [] }) {
      const left = owners.filter((id) => id !== member._id);
      if (left.length === 0) throw lastOwner();
      return { owners: left };
    },
  });
}

/** Takes an owner out, then does what ends that it is one. Where that fails it counts again. Throws invalid_state for the last owner, and what `end` throws. */
export async function ceasing<T>(context: Pick<MembersContext, 'store' | 'people'>, member: Member, end: () => Promise<T>): Promise<T> {
  await releaseOwner(context, member);
  try {
    return await end();
  } catch (error) {
    await countAgain(context, [member]);
    throw error;
  }
}

/** Those who are owners still, as they are stored, count as such. Never rejects: the next change repeats it. */
export async function countAgain(context: Pick<MembersContext, 'store' | 'people'>, members: readonly Member[]): Promise<void> {
  for (const { _id } of members) {
    const now = await context.people.members.get(_id).catch(() => undefined);
    if (now) await keepOwner(context, now).catch(() => undefined);
  }
}

const lastOwner = (): DomainError =>
  new DomainError(
    'invalid_state',
    'The last owner stays: make another member an owner first. One who is disabled or has not joined does not count.',
  );
