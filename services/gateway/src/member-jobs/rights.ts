import type { JobReason } from '@svc/contracts/console/jobs';
import type { Permission } from '@svc/contracts/permissions';
import { permits } from '@svc/service';
import type { KeysContext } from '../keys/context.ts';
import type { MembersContext } from '../members/context.ts';
import { isActive } from '../members/member.ts';
import type { Principal } from '../principals/principal.ts';
import { principalOfMember } from '../principals/session/principal-of-session.ts';
import type { MemberJob } from './member-job.ts';

export interface RightsContext extends Pick<MembersContext, 'people'> {
  store: Pick<KeysContext['store'], 'accounts'>;
}

/** What a job needs its member to have. */
export interface Needs {
  permissions: readonly Permission[];
  personalData: boolean;
}

/** The member's rights of this moment, or why there are none any more: the member was removed or disabled, the role lacks them, the account is suspended. */
export async function rightsOf(
  { people, store }: RightsContext,
  { member: id, account: of, env, from }: Pick<MemberJob, 'member' | 'account' | 'env' | 'from'>,
  needs: Needs,
): Promise<Principal | JobReason> {
  const member = await people.members.get(id);
  const [user, account] = await Promise.all([member?.user ? people.users.get(member.user) : undefined, store.accounts.get(of)]);
  if (!member || !user || !account || member.account !== of || !isActive(member)) return ended('the member is not in the account any more');
  if (account.suspended) return ended('the account is suspended');
  const principal = principalOfMember({ member, account }, env, from);
  const lacking = needs.permissions.find((permission) => !permits(principal.permissions, permission));
  if (lacking !== undefined) return ended(`the member’s role lacks the permission ${lacking}`);
  if (needs.personalData && !principal.personalData) return ended('the member does not see personal data');
  return principal;
}

export const isPrincipal = (rights: Principal | JobReason): rights is Principal => 'permissions' in rights;

const ended = (why: string): JobReason => ({
  code: 'insufficient_permissions',
  message: `This ended because ${why}. A member who may do it can begin it anew.`,
});
