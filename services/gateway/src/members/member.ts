import type { Role } from '@svc/contracts/console/roles';
import type { MemberResource } from '@svc/contracts/console/resources';
import type { Audited, Change } from '@svc/service';
import type { User } from './user.ts';

/** A user's role in an account, or an invitation to it. `_id` is `mem_…`. */
export interface Member extends Audited {
  account: string;
  /** null: the invitation has not been taken. */
  user: string | null;
  /** As it was invited. */
  email: string;
  /** As it is compared, unique in the account; null: removed. */
  email_key: string | null;
  /** As it was invited. */
  name: string | null;
  role: Role;
  disabled: boolean;
  operator: string | null;
  /** Changes of what others see of it, from 1; absent: none yet. The version of the document counts what follows from them too. */
  revision?: number;
  /** Raised by what ends the sessions of the member and its unspent link. */
  epoch: number;
  joined_at: string | null;
  deleted_at: string | null;
  created_at: string;
  updated_at: string;
  /** SHA-256 of the token of the one link that is not spent; null: there is none. */
  link: string | null;
  /** For an invitation, or for a new password. */
  link_kind: 'invitation' | 'reset' | null;
  /** Who made it. An operator's invitation makes an owner. */
  link_by: 'member' | 'operator' | null;
  /** Milliseconds since 1970. */
  link_until: number | null;
}

/** Whether it lets its user in. */
export const isActive = ({ user, disabled, deleted_at: deleted, joined_at: joined }: Member): boolean =>
  user !== null && joined !== null && deleted === null && !disabled;

/** What `If-Match` names. */
export const shownVersion = ({ revision = 1 }: Pick<Member, 'revision'>): number => revision;

/** Voids an unspent link. */
export const NO_LINK = { link: null, link_kind: null, link_by: null, link_until: null } as const;

/** A change of a member for the audit, which looks up its name. */
export const memberChange = (
  id: string,
  verb: Change['verb'],
  by: Pick<Change, 'actor' | 'requestId'>,
  changes: Change['changes'] = {},
): Change => ({
  ...{ actor: by.actor, requestId: by.requestId, type: 'member', verb, target: { id, name: null }, changes },
});

/** A member as others see it. Of one who has not joined they see what they have sent. */
export const memberResource = (member: Member, user: User | undefined): MemberResource => ({
  id: member._id,
  email: user?.email ?? member.email,
  name: user ? user.name : member.name,
  role: member.role,
  disabled: member.disabled,
  operator: member.operator,
  joined_at: member.joined_at,
  deleted_at: member.deleted_at,
  version: shownVersion(member),
});
