import { compareAndSet } from '@svc/document-store';
import { type Actor, DomainError, iso, notFound } from '@svc/kernel';
import { withChange } from '@svc/service';
import type { MembersContext } from './context.ts';
import { findUser } from './find-user.ts';
import { KEPT_MS } from './joining.ts';
import { type Member, NO_LINK, memberChange } from './member.ts';
import { countAgain, releaseOwner } from './owners.ts';
import type { User } from './user.ts';

const MOST = 500;

/**
 * Frees an e-mail that another person than its owner has taken, at the operator's word: ends all sessions and memberships of the user, whose e-mail and password
 * are no longer there. Answers the ids of the memberships. Throws not_found, and invalid_state where it is the last owner of an account. A repeat after a crash
 * finishes what was begun.
 */
export async function releaseUser(context: MembersContext, email: string, actor: Actor): Promise<string[]> {
  const { people, clock } = context;
  const user = await findUser(context, email);
  if (!user) throw notFound('user');
  const members = await Array.fromAsync(people.members.find({ user: user._id, deleted_at: null }, { sort: { _id: 1 }, limit: MOST + 1 }));
  if (members.length > MOST) throw new DomainError('invalid_state', `The user is in more than ${MOST} accounts.`);
  try {
    for (const member of members) await releaseOwner(context, member);
  } catch (error) {
    await countAgain(context, members);
    throw error;
  }
  const at = iso(clock.now());
  for (const { _id } of members) {
    const entry = memberChange(_id, 'deleted', { actor });
    await compareAndSet<Member, undefined>(people.members, _id, {
      absent: () => undefined,
      change: (member) =>
        member.deleted_at === null
          ? { deleted_at: at, email_key: null, epoch: member.epoch + 1, ...NO_LINK, ...withChange(member, entry, context) }
          : undefined,
    });
  }
  // Last, so that a repeat finds the user by its e-mail until all else is done.
  await compareAndSet<User, undefined>(people.users, user._id, {
    absent: () => undefined,
    change: ({ epoch }) => ({
      email: '',
      email_key: user._id,
      password: null,
      totp: null,
      accounts: [],
      due_at: clock.now() + KEPT_MS,
      epoch: epoch + 1,
      updated_at: at,
    }),
  });
  context.forget(user._id);
  return members.map(({ _id }) => _id);
}
