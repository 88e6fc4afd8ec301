import { compareAndSet } from '@svc/document-store';
import { type Actor, DomainError, iso, prefixed } from '@svc/kernel';
import { changesOf, withChange } from '@svc/service';
import type { MembersContext } from './context.ts';
import { findUser } from './find-user.ts';
import { memberWith, newMember } from './invite.ts';
import { enterAccount } from './joining.ts';
import { newLink } from './links.ts';
import { isActive, type Member, memberChange } from './member.ts';
import { keepOwner } from './owners.ts';
import type { User } from './user.ts';

const TRIES = 3;

/**
 * Invites the owner of an account by the operator, and answers the link, which ends the one before; null: the e-mail is that of an owner who signs in with a
 * password. A user whose e-mail an operator has named before is owner at once. Any other becomes one by spending the link: a user may name any e-mail, and no
 * link proves it. A member of another role keeps it until then.
 */
export async function ensureOwner(context: MembersContext, of: { account: string; email: string }, actor: Actor): Promise<string | null> {
  for (let n = 0; n < TRIES; n += 1) {
    const found = await memberWith(context, of.account, of.email);
    if (found && (await isOwner(context, found))) {
      await keepOwner(context, found);
      return null;
    }
    const known = found ? undefined : await findUser(context, of.email);
    if (known?.email_by === 'operator' && known.password !== null) {
      if (await joinsAsOwner(context, of.account, known, actor)) return null;
      continue;
    }
    const url = await (found ? linkOf(context, found, actor) : inviteOwner(context, of, actor));
    if (url !== undefined) return url;
  }
  throw busy();
}

const busy = (): DomainError =>
  new DomainError('service_unavailable', 'Another command changes the owners of this account. Repeat this one.', undefined, 1);

/** False: another member with this e-mail was made meanwhile. */
async function joinsAsOwner(context: MembersContext, account: string, { _id: user, email, name }: User, actor: Actor): Promise<boolean> {
  const { people, clock, ids } = context;
  await enterAccount(context, user, account, busy);
  const [id, at] = [prefixed('mem', ids.next()), iso(clock.now())];
  const made = { ...newMember(id, { account, email, name: name ?? undefined, role: 'owner' }, at), user, joined_at: at };
  const entry = memberChange(id, 'created', { actor }, changesOf(['role'], undefined, made));
  if (!(await people.members.insert({ ...made, ...withChange(undefined, entry, context) }))) return false;
  await keepOwner(context, made);
  return true;
}

async function isOwner({ people }: MembersContext, member: Member): Promise<boolean> {
  if (member.role !== 'owner' || !isActive(member) || member.user === null) return false;
  return ((await people.users.get(member.user))?.password ?? null) !== null;
}

/** Of a member; undefined: it was removed. */
async function linkOf(context: MembersContext, { _id }: Member, actor: Actor): Promise<string | undefined> {
  const { fields, url } = operatorsLink(context);
  const entry = memberChange(_id, 'reset', { actor });
  const { changed } = await compareAndSet<Member, undefined>(context.people.members, _id, {
    absent: () => undefined,
    change: (member) => (member.deleted_at === null ? { ...fields, ...withChange(member, entry, context) } : undefined),
  });
  return changed ? url : undefined;
}

/** A member who has not joined; undefined: another with this e-mail was made meanwhile. */
async function inviteOwner(context: MembersContext, of: { account: string; email: string }, actor: Actor): Promise<string | undefined> {
  const { people, clock, ids } = context;
  const { fields, url } = operatorsLink(context);
  const id = prefixed('mem', ids.next());
  const made = { ...newMember(id, { ...of, role: 'owner' }, iso(clock.now())), ...fields };
  const entry = memberChange(id, 'created', { actor }, changesOf(['role'], undefined, made));
  return (await people.members.insert({ ...made, ...withChange(undefined, entry, context) })) ? url : undefined;
}

const operatorsLink = ({ publicUrl, clock }: MembersContext) => newLink('invitation', { by: 'operator', publicUrl, now: clock.now() });
