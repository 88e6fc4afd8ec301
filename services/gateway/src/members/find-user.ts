import type { MembersContext } from './context.ts';
import { emailKey, type User } from './user.ts';

/** The user of an e-mail, in any case of letters. */
export async function findUser({ people }: Pick<MembersContext, 'people'>, email: string): Promise<User | undefined> {
  for await (const user of people.users.find({ email_key: emailKey(email) }, { limit: 1 })) return user;
  return undefined;
}
