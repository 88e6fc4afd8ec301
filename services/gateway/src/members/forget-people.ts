import { millisOf } from '@svc/kernel';
import type { MembersContext } from './context.ts';
import { KEPT_MS, leaveAccount } from './joining.ts';
import type { Member } from './member.ts';
import type { User } from './user.ts';

type Context = Pick<MembersContext, 'people' | 'clock'>;

/** When nothing says any more who a member was, in milliseconds since 1970; null: it is not removed, or nothing does. */
export const forgottenFrom = ({ deleted_at: deleted, email, user }: Member): number | null =>
  deleted === null || (email === '' && user === null) ? null : millisOf(deleted) + KEPT_MS;

/** Erases e-mail, name and user of members who were removed 30 days ago. Their ids stay, which histories and the audit name. Idempotent. */
export async function forgetMembers(context: Context, members: readonly Member[]): Promise<void> {
  for (const member of members) {
    if ((forgottenFrom(member) ?? Infinity) > context.clock.now()) continue;
    const { user, account } = member;
    // Where a crash has left it in the list. The person may be a member again.
    if (user !== null && (await context.people.members.count({ user, account, deleted_at: null })) === 0)
      await leaveAccount(context, user, account);
    const unnamed = { email: '', name: null, user: null, operator: null };
    await context.people.members.claim({ _id: member._id, version: member.version }, { set: unnamed });
  }
}

/** Removes users who have been in no account for 30 days: those who left the last, and those who never joined the first. Idempotent. */
export async function forgetUsers({ people, clock }: Context, users: readonly User[]): Promise<void> {
  for (const { _id, version, updated_at: at } of users) {
    const isMember = (await people.members.count({ user: _id, deleted_at: null })) > 0;
    const from = millisOf(at) + KEPT_MS;
    if (!isMember && from <= clock.now()) await people.users.write([{ delete: _id, version }]);
    else await people.users.claim({ _id, version }, { set: { due_at: isMember ? null : from } });
  }
}
