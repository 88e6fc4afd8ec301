import { type Actor, iso, prefixed } from '@svc/kernel';
import { changesOf, withChange } from '@svc/service';
import { compareAndSet } from '@svc/document-store';
import type { MembersContext } from './context.ts';
import { findUser } from './find-user.ts';
import { newMember } from './invite.ts';
import { newLink } from './links.ts';
import type { Member } from './member.ts';
import { keepOwner } from './owners.ts';
import { emailKey } from './user.ts';

/**
 * Makes an owner of an account by the operator, or finds the one that has this e-mail, and answers the link by which it signs in; null where the e-mail has a
 * password: it is owner at once. A new link ends the one before.
 */
export async function ensureOwner(
  context: MembersContext,
  { account, email }: { account: string; email: string },
  actor: Actor,
): Promise<string | null> {
  const { people, clock, ids } = context;
  const user = await findUser(context, email);
  const hasPassword = user !== undefined && user.password !== null;
  const { fields, url } = newLink('invitation', { publicUrl: context.publicUrl, now: clock.now() });
  const at = iso(clock.now());
  const joined = hasPassword ? { user: user._id, joined_at: at } : fields;
  const found = await ownerBy(context, account, email);
  if (found) {
    const { doc } = await compareAndSet<Member, undefined>(people.members, found._id, {
      absent: () => undefined,
      change: (member) => (hasPassword && member.joined_at !== null ? undefined : { ...joined, role: 'owner', disabled: false }),
    });
    if (doc) await keepOwner(context, doc);
    return hasPassword ? null : url;
  }
  const id = prefixed('mem', ids.next());
  const made = { ...newMember(id, { account, email, role: 'owner' }, at), ...joined };
  const change = {
    actor,
    type: 'member' as const,
    verb: 'created' as const,
    target: { id, name: null },
    changes: changesOf(['role'], undefined, made),
  };
  const member = { ...made, ...withChange(undefined, change, context) };
  await people.members.insert(member);
  await keepOwner(context, member);
  return hasPassword ? null : url;
}

async function ownerBy({ people }: MembersContext, account: string, email: string): Promise<Member | undefined> {
  for await (const member of people.members.find({ account, email_key: emailKey(email) }, { limit: 1 })) return member;
  return undefined;
}
