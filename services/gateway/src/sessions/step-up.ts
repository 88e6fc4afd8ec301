import { invalid } from '@svc/kernel';
import { hasTotp, type User } from '../members/user.ts';
import type { SessionView } from './session-view.ts';
import type { SessionsContext } from './context.ts';
import { isKnownBrowser } from './known-browsers.ts';
import { isPassword } from '../members/password-hash.ts';
import { takeCode } from './second-factor.ts';
import { invalidCredentials, type SigningIn } from './sign-in.ts';

/**
 * Takes the password, or of who has two factors a code, which also ends that a session lacks it. Answers until when it counts, in milliseconds since 1970. Throws
 * `invalid_credentials`, after which the session stays, and `rate_limit_exceeded`: tries count as those of signing in.
 */
export async function stepUp(
  context: SessionsContext,
  { session, user }: SessionView,
  given: { password?: string; code?: string },
  by: Pick<SigningIn, 'from' | 'browser'>,
): Promise<number> {
  const { people, clock, terms } = context;
  const byCode = hasTotp(user);
  if (given.password === undefined && given.code === undefined)
    throw invalid(byCode ? { code: ['Send the code of your second factor.'] } : { password: ['Send your password.'] });
  const isRight = await isProven(context, user, by, byCode ? { code: given.code } : { password: given.password });
  if (!isRight) throw invalidCredentials();
  const now = clock.now();
  await people.sessions.claim({ _id: session._id }, { set: { stepped_at: now, must_enter_code: false } });
  context.forget(session._id);
  return now + terms.stepUp;
}

/** Whether a password or a code is the user's; one that is missing is not. The answer waits as that of a sign-in does, and not in a browser that is known. */
export async function isProven(
  context: SessionsContext,
  user: User,
  { from: { address }, browser }: Pick<SigningIn, 'from' | 'browser'>,
  given: { password?: string | undefined; code?: string | undefined },
): Promise<boolean> {
  const { tries, hashing } = context;
  const isKnown = await isKnownBrowser(context, browser, user);
  await tries.admit({ email: user.email, address });
  const attempt = await tries.begin(user.email, isKnown);
  const { password, code } = given;
  const isRight =
    (password !== undefined && (await hashing.run({ address, isKnown: true }, () => isPassword(password, user.password)))) ||
    (code !== undefined && (await takeCode(context, user._id, code)));
  await attempt.wait();
  if (isRight) await attempt.succeeded();
  return isRight;
}
