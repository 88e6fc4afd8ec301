import { waitGoesOn } from '@svc/kernel';
import type { SessionsContext } from './context.ts';
import { ownerOf, type User } from '../members/user.ts';
import { newToken, tokenHash } from '../members/tokens.ts';

const KNOWN_MS = 90 * 86_400_000;

/** Whether the user has signed in with the password in the browser of this cookie, and no change of the password has ended that. */
export async function isKnownBrowser(
  { people, clock }: Pick<SessionsContext, 'people' | 'clock'>,
  token: string | undefined,
  user: User | undefined,
): Promise<boolean> {
  // Read for an unknown e-mail too, which takes the time of a known one.
  const row = token === undefined ? undefined : await people.browsers.get(tokenHash(token));
  return row !== undefined && user !== undefined && row.owner === ownerOf(user) && waitGoesOn(row.due_at ?? 0, clock.now(), KNOWN_MS);
}

/** The value of its cookie from now on, for 90 days. */
export async function rememberBrowser({ people, clock }: Pick<SessionsContext, 'people' | 'clock'>, user: User): Promise<string> {
  const token = newToken();
  await people.browsers.insert({ _id: tokenHash(token), version: 1, owner: ownerOf(user), due_at: clock.now() + KNOWN_MS });
  return token;
}
