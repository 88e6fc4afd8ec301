import type { MembersContext } from './context.ts';
import type { Member } from './member.ts';
import type { User } from './user.ts';

/** Names of members of an account as they are now, those of the past included, by the member's id. Other ids are not in it. */
export async function namesOfMembers(
  { people }: Pick<MembersContext, 'people'>,
  account: string,
  ids: readonly string[],
): Promise<Map<string, string | null>> {
  const found = await Array.fromAsync(people.members.find({ _id: { $in: [...ids] } }, { limit: ids.length + 1 }));
  const members = found.filter((member) => member.account === account);
  const users = await usersOf({ people }, members);
  return new Map(members.map(({ _id, user, name }) => [_id, user === null ? name : (users.get(user)?.name ?? null)]));
}

/** The users of members who have joined, by id. */
export async function usersOf({ people }: Pick<MembersContext, 'people'>, members: readonly Member[]): Promise<Map<string, User>> {
  const ids = [...new Set(members.flatMap(({ user }) => user ?? []))];
  const users = await Array.fromAsync(people.users.find({ _id: { $in: ids } }, { limit: ids.length + 1 }));
  return new Map(users.map((user) => [user._id, user]));
}
