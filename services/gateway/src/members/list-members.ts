import type { MemberResource } from '@svc/contracts/console/resources';
import type { MembersContext } from './context.ts';
import { memberResource } from './member.ts';
import { usersOf } from './names.ts';

const MOST = 100;

/** The members of an account and its invitations, 100 at a time in the order of their ids. */
export async function membersOf({ people }: Pick<MembersContext, 'people'>, account: string, after: string): Promise<MemberResource[]> {
  const query = { sort: { _id: 1 }, limit: MOST } as const;
  const members = await Array.fromAsync(people.members.find({ account, deleted_at: null, _id: { $gt: after } }, query));
  const users = await usersOf({ people }, members);
  return members.map((member) => memberResource(member, users.get(member.user ?? '')));
}
