import { compareAndSet } from '@svc/document-store';
import { type Actor, iso, notFound } from '@svc/kernel';
import { type Change, withChange } from '@svc/service';
import type { MembersContext } from './context.ts';
import { findUser } from './find-user.ts';
import { newLink } from './links.ts';
import { type Member, memberChange } from './member.ts';
import { membershipsOf } from './memberships.ts';
import { hasTotp, type User } from './user.ts';

/**
 * Ends all sessions of a user, at the operator's word, and answers a link to set a new password: the one before is void. It is in the audit of each of the user's
 * accounts. Throws not_found for one who is not known or is in no account.
 */
export async function resetUser(context: MembersContext, { email, totp }: { email: string; totp: boolean }, actor: Actor): Promise<string> {
  const { people, clock } = context;
  const user = await findUser(context, email);
  const members = user ? await membershipsOf(context, user._id) : [];
  const [first] = members;
  if (!user || !first) throw notFound('user');
  const changes: Change['changes'] = totp && hasTotp(user) ? { totp: { from: true, to: false } } : {};
  await compareAndSet<User, undefined>(people.users, user._id, {
    absent: () => undefined,
    change: ({ epoch }) => ({ epoch: epoch + 1, password: null, updated_at: iso(clock.now()), ...(totp && { totp: null }) }),
  });
  const { fields, url } = newLink('reset', { by: 'operator', publicUrl: context.publicUrl, now: clock.now() });
  for (const { _id } of members) {
    const entry = memberChange(_id, 'reset', { actor }, changes);
    await compareAndSet<Member, undefined>(people.members, _id, {
      absent: () => undefined,
      change: (member) => ({ ...(_id === first._id && fields), ...withChange(member, entry, context) }),
    });
  }
  context.forget(user._id);
  return url;
}
