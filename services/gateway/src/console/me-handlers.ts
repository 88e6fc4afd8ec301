import { findUser } from '../members/find-user.ts';
import { roleTable } from '@svc/contracts/console/roles';
import type { Me } from '@svc/contracts/console/resources';
import { DomainError, iso, invalid } from '@svc/kernel';
import { compareAndSet } from '@svc/document-store';
import { memberResource } from '../members/member.ts';
import { userResource } from '../members/user-resource.ts';
import { lackOf, type SessionView } from '../sessions/session-view.ts';
import { isInNoOther } from '../members/joining.ts';
import { sessionIncomplete } from '../principals/session/refusals.ts';
import { renewSession } from '../sessions/begin-session.ts';
import { invalidSession } from '../sessions/invalid-session.ts';
import { isOver, type Session } from '../sessions/session.ts';
import { emailKey, hasTotp, ownerOf, type User } from '../members/user.ts';
import { problemOfPassword } from '../sessions/password-rules.ts';
import { hashPassword, type PasswordHash } from '../members/password-hash.ts';
import { newRecoveryCodes, plainCode } from '../sessions/recovery-codes.ts';
import { sealedSecret } from '../sessions/second-factor.ts';
import { isKnownBrowser } from '../sessions/known-browsers.ts';
import { invalidCredentials, type SigningIn } from '../sessions/sign-in.ts';
import { isProven } from '../sessions/step-up.ts';
import { newTotpSecret, otpauthUrl, stepOf } from '../sessions/totp.ts';
import { accountResource } from './account-resource.ts';
import type { ConsoleContext, ConsoleHandlers } from './handlers.ts';
import { fromOf, requireStepUp, sessionOf } from './session-of.ts';

/** Named beside the e-mail in authenticators. */
const ISSUER = 'Invoicing';

export function meHandlers(context: ConsoleContext) {
  const { people, store, cookies, clock, secrets, peppers, hashing, terms } = context;

  const changeUser = async (id: string, change: (user: User) => Partial<User> | undefined): Promise<User> => {
    const { doc } = await compareAndSet<User, User>(people.users, id, {
      absent() {
        throw invalidCredentials();
      },
      change(user) {
        const set = change(user);
        return set && { ...set, updated_at: iso(clock.now()) };
      },
    });
    context.forget(id);
    return doc;
  };

  return {
    'GET /console/me': (request) => meOf(sessionOf(request)),

    async 'PATCH /console/me'(request, reply) {
      const view = await asStored(sessionOf(request));
      const { name, language, email, password } = request.body;
      if (lackOf(view) === 'password' && password === undefined) throw sessionIncomplete('password');
      const from = fromOf(request, context.addressOf(request));
      const moves = email !== undefined && email !== view.user.email;
      if (moves) {
        await requireStepUp(context, request);
        const other = await findUser(context, email);
        if (other && other._id !== view.user._id) throw taken();
      }
      const by = { from, browser: cookies.browser(request) };
      if (password !== undefined) await judgePassword(view, password, email ?? view.user.email, by);
      const hash = password && (await hashing.run({ address: from.address, isKnown: true }, () => hashPassword(password.new)));
      const user = await changeUser(view.user._id, (now) => ({
        ...(hash && passwordIn(view.session, now, hash)),
        ...(name !== undefined && { name }),
        ...(language !== undefined && { language }),
        ...(moves && { email, email_key: emailKey(email), email_by: 'member' as const }),
      })).catch((error: unknown) => {
        throw (error as Error).name === 'UniqueViolation' ? taken() : error;
      });
      if (moves) await moveMemberships(user);
      let { session } = view;
      if (hash) {
        const renewed = await renewSession(context, session, { owner: ownerOf(user), must_set_password: false, stepped_at: clock.now() });
        session = renewed.session;
        cookies.setSession(reply, renewed.token);
      }
      const [member = view.member, account = view.account] = await Promise.all([
        people.members.get(view.member._id),
        store.accounts.get(view.account._id),
      ]);
      return meOf({ session, user, member, account, usedAt: 0 });
    },

    async 'POST /console/me/totp'(request) {
      const { user } = sessionOf(request);
      const secret = newTotpSecret();
      await changeUser(user._id, (now) => {
        if (hasTotp(now)) throw invalid({ totp: ['is on already: turn it off first.'] });
        return { totp: { secret: sealedSecret(secrets, secret), confirmed: false, step: 0, recovery: [] } };
      });
      return { secret, otpauth_url: otpauthUrl(secret, { issuer: ISSUER, email: user.email }) };
    },

    async 'POST /console/me/totp/confirm'(request) {
      const { user } = sessionOf(request);
      const { address } = fromOf(request, context.addressOf(request));
      const isKnown = await isKnownBrowser(context, cookies.browser(request), user);
      await context.tries.admit({ email: user.email, address });
      const attempt = await context.tries.begin(user.email, isKnown);
      const codes = newRecoveryCodes();
      const recovery = codes.map((code) => peppers.hash(plainCode(code)));
      let isRight = false;
      await changeUser(user._id, (now) => {
        const { totp } = now;
        if (!totp || totp.confirmed) return undefined;
        const secret = secrets.decrypt(totp.secret, { collection: 'users', id: now._id }).toString('utf8');
        const step = stepOf(secret, request.body.code.trim(), { now: clock.now(), taken: totp.step });
        isRight = step !== undefined;
        return step === undefined ? undefined : { totp: { ...totp, confirmed: true, step, recovery } };
      });
      await attempt.wait();
      if (!isRight) throw invalidCredentials();
      await attempt.succeeded();
      return { recovery_codes: codes };
    },

    async 'DELETE /console/me/totp'(request) {
      await changeUser(sessionOf(request).user._id, (now) => (now.totp === null ? undefined : { totp: null }));
      return { done: true };
    },
  } satisfies Partial<ConsoleHandlers>;

  async function judgePassword(
    { user, session }: SessionView,
    given: { current?: string; new: string },
    email: string,
    by: Pick<SigningIn, 'from' | 'browser'>,
  ): Promise<void> {
    const problem = problemOfPassword(given.new, email);
    if (problem) throw invalid({ 'password.new': [problem] });
    if (session.must_set_password || user.password === null) return;
    if (given.current === undefined) throw invalid({ 'password.current': ['Send your present password.'] });
    if (!(await isProven(context, user, by, { password: given.current })))
      throw invalid({ 'password.current': ['is not your present password.'] });
  }

  /** With the session as it is now: one that was ended at another replica sets no password. */
  async function asStored(view: SessionView): Promise<SessionView> {
    const session = await people.sessions.get(view.session._id);
    if (!session || isOver(session, terms, clock.now())) throw invalidSession();
    return { ...view, session };
  }

  /** Accounts know their members by e-mail, so that nobody invites one twice. What a crash leaves is refused at the invitation. */
  async function moveMemberships({ _id, email, email_key: key }: User): Promise<void> {
    for await (const member of people.members.find({ user: _id }))
      if (member.deleted_at === null)
        await people.members.claim({ _id: member._id }, { set: { email, email_key: key } }).catch(() => undefined);
  }
}

/** A new password. A link of one account's administrator is good for no other: throws invalid_state where the user has joined one since it was spent. */
function passwordIn({ must_set_password: byLink, link_by: by, account }: Session, user: User, password: PasswordHash): Partial<User> {
  if (byLink && by === 'member' && !isInNoOther(user, account))
    throw new DomainError('invalid_state', 'You are a member of another account too. Ask the operator for a link: svc admin users reset.');
  return { password, epoch: user.epoch + 1 };
}

const meOf = (view: SessionView): Me => {
  const { user, member, account, session } = view;
  const { test, live, livePersonalData } = roleTable[member.role];
  return {
    session_id: session.session,
    user: userResource(user),
    member: memberResource(member, user),
    account: accountResource(account),
    permissions: { live: [...live], test: [...test] },
    personal_data: { live: livePersonalData, test: true },
    till: session.till && { ...session.till, operator: member.operator },
    must_set_password: lackOf(view) === 'password',
    must_set_totp: account.require_totp === true && !hasTotp(user),
  };
};

const taken = () => invalid({ email: ['is the e-mail of another user.'] });
