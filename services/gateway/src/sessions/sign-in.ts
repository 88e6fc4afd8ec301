import { findUser } from '../members/find-user.ts';
import { DomainError } from '@svc/kernel';
import { membershipsOf } from '../members/memberships.ts';
import { hasTotp, type User } from '../members/user.ts';
import { type Begun, beginSession } from './begin-session.ts';
import type { From, SessionsContext } from './context.ts';
import { isKnownBrowser, rememberBrowser } from './known-browsers.ts';
import { isPassword } from '../members/password-hash.ts';
import { takeCode } from './second-factor.ts';

export interface Credentials {
  email: string;
  password: string;
  code?: string | undefined;
}

export interface SigningIn {
  from: From;
  requestId: string;
  /** The cookie of a browser in which a user has signed in before. */
  browser: string | undefined;
}

export interface SignedIn extends Begun {
  user: User;
  /** The cookie of the browser from now on; undefined: it keeps what it has. */
  browser: string | undefined;
}

/**
 * Proves who one is. Throws `invalid_credentials` for a wrong e-mail, password or code, all alike and after the same time, and `rate_limit_exceeded`. `mayEnter`
 * judges whether the user may, at the same time. The code, where it is given, is taken; `codeEntered` is false where it is still to be entered.
 */
export async function proveUser(
  context: SessionsContext,
  { email, password, code }: Credentials,
  { from, browser }: Pick<SigningIn, 'from' | 'browser'>,
  mayEnter: (user: User) => Promise<boolean>,
): Promise<{ user: User; codeEntered: boolean; isKnown: boolean }> {
  const { tries, hashing } = context;
  const user = await findUser(context, email);
  const isKnown = await isKnownBrowser(context, browser, user);
  await tries.admit({ email, address: from.address });
  const { attempt, isRight } = await hashing.run({ address: from.address, isKnown }, async () => ({
    attempt: await tries.begin(email, isKnown),
    isRight: await isPassword(password, user?.password ?? null),
  }));
  const enters = user !== undefined && user.password !== null && isRight && (await mayEnter(user));
  await attempt.wait();
  if (!enters) throw invalidCredentials();
  if (hasTotp(user)) {
    if (code === undefined) {
      await attempt.halfway();
      return { user, codeEntered: false, isKnown };
    }
    if (!(await takeCode(context, user._id, code))) throw invalidCredentials();
  }
  await attempt.succeeded();
  return { user, codeEntered: true, isKnown };
}

/** Signs in by e-mail and password, in the account of the highest role. Throws as `proveUser`. */
export async function signIn(context: SessionsContext, credentials: Credentials, signingIn: SigningIn): Promise<SignedIn> {
  const { user, codeEntered, isKnown } = await proveUser(
    context,
    credentials,
    signingIn,
    async ({ _id }) => (await membershipsOf(context, _id)).length > 0,
  );
  const [member] = await membershipsOf(context, user._id);
  if (!member) throw invalidCredentials();
  const { from, requestId } = signingIn;
  const begun = await beginSession(context, { user, member, from, requestId, linkBy: null, mustSetPassword: false, codeEntered });
  return { ...begun, user, browser: isKnown ? undefined : await rememberBrowser(context, user) };
}

export const invalidCredentials = (): DomainError =>
  new DomainError('invalid_credentials', 'This is not right, or is not valid any more. Check what you have sent.');
