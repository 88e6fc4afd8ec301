import { findUser } from '../members/find-user.ts';
import { iso, prefixed } from '@svc/kernel';
import { changesOf, withChange } from '@svc/service';
import { enterAccount, isInNoOther, KEPT_MS } from '../members/joining.ts';
import { isLinkOpen } from '../members/links.ts';
import { keepOwner } from '../members/owners.ts';
import { type Member, NO_LINK, memberChange } from '../members/member.ts';
import { emailKey, type User } from '../members/user.ts';
import { beginSession } from './begin-session.ts';
import type { SessionsContext } from './context.ts';
import { type Credentials, invalidCredentials, proveUser, type SignedIn, type SigningIn } from './sign-in.ts';
import { tokenHash } from '../members/tokens.ts';

/**
 * Spends a one-time link, of an invitation or for a new password, and begins a session that has to set a password. Whoever invites holds the link, so one who has a
 * password proves it: `credentials`. Throws `invalid_credentials`, after which the link is whole, and `rate_limit_exceeded`.
 */
export async function spendLink(
  context: SessionsContext,
  token: string,
  credentials: Credentials | undefined,
  signingIn: SigningIn,
): Promise<SignedIn> {
  if (credentials === undefined) await context.tries.ofLink(signingIn.from.address);
  const invited = await memberOfLink(context, token);
  if (invited === undefined || credentials !== undefined) {
    // An unknown token takes the time of a known one where a password comes with it.
    if (credentials === undefined) throw invalidCredentials();
    return spendWithPassword(context, invited, token, credentials, signingIn);
  }
  const known = invited.user === null ? await findUser(context, invited.email) : await context.people.users.get(invited.user);
  if (known && known.password !== null && invited.link_kind === 'invitation') throw invalidCredentials();
  const user = known ?? (await newUser(context, invited));
  const member = await spend(context, invited, user, token, signingIn);
  const { from, requestId } = signingIn;
  const linkBy = invited.link_by ?? 'member';
  const begun = await beginSession(context, { user, member, from, requestId, linkBy, mustSetPassword: true, codeEntered: false });
  return { ...begun, user, browser: undefined };
}

async function spendWithPassword(
  context: SessionsContext,
  invited: Member | undefined,
  token: string,
  credentials: Credentials,
  signingIn: SigningIn,
): Promise<SignedIn> {
  const isTheirs = ({ _id }: User): boolean =>
    invited?.link_kind === 'invitation' &&
    (invited.user === null ? invited.email_key === emailKey(credentials.email) : invited.user === _id);
  const { user, codeEntered } = await proveUser(context, credentials, signingIn, async (one) => isTheirs(one));
  if (!invited) throw invalidCredentials();
  const member = await spend(context, invited, user, token, signingIn);
  const { from, requestId } = signingIn;
  const begun = await beginSession(context, { user, member, from, requestId, linkBy: null, mustSetPassword: false, codeEntered });
  return { ...begun, user, browser: undefined };
}

async function memberOfLink({ people, clock }: SessionsContext, token: string): Promise<Member | undefined> {
  for await (const member of people.members.find({ link: tokenHash(token) }, { limit: 1 })) {
    return isGood(member, clock.now()) ? member : undefined;
  }
  return undefined;
}

/** Disabling voids the links that there are; an operator may make one of a disabled member. */
const isGood = (member: Member, now: number): boolean =>
  member.deleted_at === null && (!member.disabled || member.link_by === 'operator') && isLinkOpen(member, now);

/** The user of an e-mail that has none. Concurrent spends get the same one. */
async function newUser(context: SessionsContext, { account, email, name, link_by: by }: Member): Promise<User> {
  const { people, ids, clock } = context;
  const at = iso(clock.now());
  const user: User = {
    ...{ _id: prefixed('usr', ids.next()), version: 1, email, email_key: emailKey(email), email_by: by ?? 'member', name, language: null },
    ...{ password: null, epoch: 1, totp: null, accounts: [account], due_at: clock.now() + KEPT_MS, created_at: at, updated_at: at },
  };
  if (await people.users.insert(user)) return user;
  const other = await findUser(context, email);
  if (!other || other.password !== null) throw invalidCredentials();
  return other;
}

/** Takes the link out of the member, which joins with the same write: of concurrent spends one does. */
async function spend(
  context: SessionsContext,
  invited: Member,
  user: User,
  token: string,
  { from, requestId }: SigningIn,
): Promise<Member> {
  const { people, clock } = context;
  const at = iso(clock.now());
  const joins = invited.joined_at === null;
  const { account, link_kind: kind, link_by: madeBy } = invited;
  if (joins) await enterAccount(context, user._id, account, invalidCredentials);
  if (kind === 'reset' && madeBy === 'member' && !isInNoOther(user, account)) throw invalidCredentials();
  const actor = { type: 'member' as const, id: invited._id, ip: from.address, via: 'link' as const };
  const becomes = kind === 'invitation' && madeBy === 'operator' ? { role: 'owner' as const, disabled: false } : {};
  const joined = { ...NO_LINK, ...becomes, ...(joins && { user: user._id, joined_at: at }), updated_at: at };
  const changes = changesOf(['joined_at', 'role', 'disabled'], invited, { ...invited, ...joined });
  const change = memberChange(invited._id, 'updated', { actor, requestId }, changes);
  const isAudited = Object.keys(changes).length > 0;
  const [member] = await people.members.claim(
    { _id: invited._id, version: invited.version },
    { set: { ...joined, ...(isAudited && withChange(invited, change, context)) } },
  );
  if (member) {
    await keepOwner(context, member);
    context.forget(user._id, member._id);
    return member;
  }
  // What it carries was published meanwhile, or another spent it.
  const again = await people.members.get(invited._id);
  if (again && again.link === tokenHash(token) && isGood(again, clock.now()))
    return spend(context, again, user, token, { from, requestId, browser: undefined });
  throw invalidCredentials();
}
