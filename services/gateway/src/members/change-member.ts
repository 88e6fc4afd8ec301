import { isAbove, type Role } from '@svc/contracts/console/roles';
import { compareAndSet } from '@svc/document-store';
import { DomainError, iso, notFound } from '@svc/kernel';
import { changesOf, checkVersion, type IfMatch, withChange } from '@svc/service';
import type { SettingVerb } from '@svc/contracts/audit/setting-changed';
import type { MembersContext } from './context.ts';
import { above, type ByMember } from './invite.ts';
import { newLink } from './links.ts';
import { isActive, type Member, memberChange, NO_LINK, shownVersion } from './member.ts';
import { ceasing, keepOwner } from './owners.ts';
import { isInNoOther, leaveAccount } from './joining.ts';

export interface MemberOf {
  account: string;
  id: string;
  /** What the caller has seen of it; absent: it does not matter. */
  ifMatch?: IfMatch | undefined;
}

/** A missing field stays as it is. */
export interface MemberChange {
  role?: Role | undefined;
  disabled?: boolean | undefined;
  operator?: string | null | undefined;
}

const AUDITED = ['role', 'disabled', 'operator'] as const;

/** Changes a member. Another role, or disabling, ends its sessions within 5 s. Throws not_found, version_conflict, insufficient_permissions, invalid_state for the last owner. */
export async function changeMember(context: MembersContext, of: MemberOf, change: MemberChange, by: ByMember): Promise<Member> {
  const before = await readMember(context, of);
  judge(before, by, change.role);
  const ceases = (change.role !== undefined && change.role !== 'owner') || change.disabled === true;
  const changed = () =>
    update(context, of, by, 'updated', (member) => {
      judge(member, by, change.role);
      const set = Object.fromEntries(
        Object.entries(change).filter(([field, value]) => value !== undefined && value !== member[field as keyof MemberChange]),
      );
      if (Object.keys(set).length === 0) return undefined;
      const ends = set['role'] !== undefined || set['disabled'] === true;
      return { ...set, ...(ends && { epoch: member.epoch + 1 }), ...(set['disabled'] === true && NO_LINK) };
    });
  const after = await (ceases ? ceasing(context, before, changed) : changed());
  await keepOwner(context, after);
  return after;
}

/** Removes a member and ends its sessions within 5 s. Throws as `changeMember`. */
export async function removeMember(context: MembersContext, of: MemberOf, by: ByMember): Promise<Member> {
  const before = await readMember(context, of);
  judge(before, by);
  const at = iso(context.clock.now());
  const removed = await ceasing(context, before, () =>
    update(context, of, by, 'deleted', (member) => {
      judge(member, by);
      return { deleted_at: at, email_key: null, epoch: member.epoch + 1, ...NO_LINK };
    }),
  );
  if (removed.user !== null) await leaveAccount(context, removed.user, of.account);
  return removed;
}

/** A link by which a member sets a new password, in the place of any other. Throws as `changeMember`, and invalid_state for one of another account too. */
export async function resetMember(context: MembersContext, of: MemberOf, by: ByMember): Promise<string> {
  const before = await readMember(context, of);
  judge(before, by);
  if (!isActive(before) || before.user === null)
    throw new DomainError('invalid_state', 'This member has not joined, or is disabled. Invite the person again, or enable the member.');
  const user = await context.people.users.get(before.user);
  if (!user || !isInNoOther(user, of.account))
    throw new DomainError('invalid_state', 'This person is a member of another account too. Ask the operator: svc admin users reset.');
  const { fields, url } = newLink('reset', { by: 'member', publicUrl: context.publicUrl, now: context.clock.now() });
  await update(context, of, by, 'reset', (member) => {
    judge(member, by);
    return fields;
  });
  return url;
}

/** Throws not_found, version_conflict. */
export async function readMember({ people }: Pick<MembersContext, 'people'>, of: MemberOf): Promise<Member> {
  const member = await people.members.get(of.id);
  if (!member) throw notFound('member');
  check(member, of);
  return member;
}

function check(member: Member, { account, ifMatch }: MemberOf): void {
  if (member.account !== account || member.deleted_at !== null) throw notFound('member');
  checkVersion(ifMatch, shownVersion(member));
}

function judge(member: Member, by: ByMember, role: Role = member.role): void {
  if (isAbove(member.role, by.role) || isAbove(role, by.role)) throw above();
}

async function update(
  context: MembersContext,
  of: MemberOf,
  by: ByMember,
  verb: SettingVerb,
  change: (member: Member) => Partial<Member> | undefined,
): Promise<Member> {
  const { people, clock } = context;
  const { doc } = await compareAndSet<Member, Member>(people.members, of.id, {
    absent() {
      throw notFound('member');
    },
    change(member) {
      check(member, of);
      const set = change(member);
      if (set === undefined) return undefined;
      const entry = memberChange(member._id, verb, by, changesOf(AUDITED, member, { ...member, ...set }));
      return { ...set, revision: shownVersion(member) + 1, updated_at: iso(clock.now()), ...withChange(member, entry, context) };
    },
  });
  context.forget(of.id);
  return doc;
}
