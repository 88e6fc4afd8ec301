import { roles } from '@svc/contracts/console/roles';
import type { SessionAccount } from '@svc/contracts/console/resources';
import type { MembersContext } from './context.ts';
import { MOST_ACCOUNTS } from './joining.ts';
import { isActive, type Member } from './member.ts';

/** The memberships of a user that let it in, the highest role first. */
export async function membershipsOf({ people }: Pick<MembersContext, 'people'>, user: string): Promise<Member[]> {
  const all = await Array.fromAsync(people.members.find({ user, deleted_at: null }, { sort: { _id: 1 }, limit: MOST_ACCOUNTS }));
  return all.filter(isActive).sort((a, b) => roles.indexOf(a.role) - roles.indexOf(b.role));
}

/** The accounts of memberships as a session shows them. */
export async function accountsOf(
  { store }: Pick<MembersContext, 'store'>,
  members: readonly Member[],
  current: string,
): Promise<SessionAccount[]> {
  const names = new Map<string, string>();
  for await (const { _id, name } of store.accounts.find({ _id: { $in: members.map(({ account }) => account) } }, { limit: MOST_ACCOUNTS }))
    names.set(_id, name);
  return members.flatMap(({ account, role }) => {
    const name = names.get(account);
    return name === undefined ? [] : [{ id: account, name, role, current: account === current }];
  });
}
