import { isAbove, type Role } from '@svc/contracts/console/roles';
import { type Actor, DomainError, invalid, iso, prefixed, type Uid } from '@svc/kernel';
import { changesOf, withChange } from '@svc/service';
import type { MembersContext } from './context.ts';
import { findUser } from './find-user.ts';
import { newLink } from './links.ts';
import { type Member, NO_LINK, memberChange } from './member.ts';
import { emailKey } from './user.ts';

export interface Invitation {
  account: string;
  email: string;
  name?: string | undefined;
  role: Role;
}

export interface ByMember {
  actor: Actor;
  role: Role;
  requestId: string;
}

const AUDITED = ['role', 'disabled', 'operator'] as const;
/** Members of an account, those who have not joined included. */
const MOST_MEMBERS = 1_000;

/**
 * Invites a person, known here or not, with one answer for both. Repeating the command, whose answer was lost, gives another link. Throws validation_error for an
 * e-mail that is a member's, and insufficient_permissions for a role above one's own.
 */
export async function invite(
  context: MembersContext,
  { account, email, name, role }: Invitation,
  by: ByMember,
  command: Uid,
): Promise<{ member: Member; url: string }> {
  const { people, clock } = context;
  if (isAbove(role, by.role)) throw above();
  const id = prefixed('mem', command);
  const { fields, url } = newLink('invitation', { by: 'member', publicUrl: context.publicUrl, now: clock.now() });
  const made = await people.members.get(id);
  if (made) {
    const [member] = await people.members.claim({ _id: id, version: made.version }, { set: fields });
    return { member: member ?? made, url };
  }
  await refuseTaken(context, account, email);
  const member = { ...newMember(id, { account, email, name, role }, iso(clock.now())), ...fields };
  const change = memberChange(id, 'created', by, changesOf(AUDITED, undefined, member));
  if (!(await people.members.insert({ ...member, ...withChange(undefined, change, context) }))) throw taken();
  context.forget(id);
  return { member, url };
}

export const newMember = (id: string, { account, email, name = undefined, role }: Invitation, at: string): Member => ({
  ...{
    _id: id,
    version: 1,
    account,
    user: null,
    email,
    email_key: emailKey(email),
    name: name ?? null,
    role,
    disabled: false,
    operator: null,
  },
  ...{
    epoch: 1,
    joined_at: null,
    deleted_at: null,
    created_at: at,
    updated_at: at,
    ...NO_LINK,
    due_at: null,
  },
});

/** The member of an account whose e-mail this is: now, or as it was invited. */
export async function memberWith(context: Pick<MembersContext, 'people'>, account: string, email: string): Promise<Member | undefined> {
  const { members, users } = context.people;
  const user = await findUser(context, email);
  if (user) for await (const member of members.find({ user: user._id, account, deleted_at: null }, { limit: 1 })) return member;
  for await (const member of members.find({ account, email_key: emailKey(email) }, { limit: 1 })) {
    const holder = member.user === null ? undefined : await users.get(member.user);
    if (!holder || holder.email_key === member.email_key) return member;
    // A crash has left the e-mail that the user had before. Where it cannot be moved, the insertion is refused.
    const { email: present, email_key: key } = holder;
    await members.claim({ _id: member._id, version: member.version }, { set: { email: present, email_key: key } }).catch(() => undefined);
  }
  return undefined;
}

async function refuseTaken(context: MembersContext, account: string, email: string): Promise<void> {
  const { people } = context;
  if (await memberWith(context, account, email)) throw taken();
  if ((await people.members.count({ account, deleted_at: null })) >= MOST_MEMBERS)
    throw invalid({ email: [`An account has at most ${MOST_MEMBERS} members: remove those who are no longer needed.`] });
}

const taken = (): DomainError =>
  invalid({
    email: ['is the e-mail of a member already. For another link to one who has not joined, remove that member and invite again.'],
  });

export const above = (): DomainError =>
  new DomainError('insufficient_permissions', 'This is for an owner: a member gives, changes and takes away no role above their own.');
