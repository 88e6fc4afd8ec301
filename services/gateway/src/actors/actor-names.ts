import { namesOfMembers } from '../members/names.ts';
import type { SessionsContext } from '../sessions/context.ts';

/** Names of persons and keys as they are now, by id. */
export type Names = ReadonlyMap<string, string | null>;

/** Of members and keys of the account, those of the past included. */
export async function namesOfActors(
  { people, store }: Pick<SessionsContext, 'people' | 'store'>,
  account: string,
  ids: readonly string[],
): Promise<Names> {
  const wanted = { _id: { $in: [...ids] } };
  const limit = ids.length + 1;
  const members = await namesOfMembers({ people }, account, ids);
  const keys = (await Array.fromAsync(store.keys.find(wanted, { limit }))).filter((key) => key.account === account);
  return new Map([...members, ...keys.map(({ _id, name }) => [_id, name] as const)]);
}
