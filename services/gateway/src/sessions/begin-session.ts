import { compareAndSet } from '@svc/document-store';
import { prefixed } from '@svc/kernel';
import { changesOf, withChange } from '@svc/service';
import type { Member } from '../members/member.ts';
import { hasTotp, ownerOf, type User } from '../members/user.ts';
import type { From, SessionsContext } from './context.ts';
import { endOf, type Session } from './session.ts';
import { invalidSession } from './invalid-session.ts';
import { newToken, tokenHash } from '../members/tokens.ts';

export interface BeginOptions {
  user: User;
  /** The account that it acts in. */
  member: Member;
  from: From;
  /** Who made the link that it begins by; null: it begins without one. */
  linkBy: 'member' | 'operator' | null;
  requestId: string;
  mustSetPassword: boolean;
  /** The code of the second factor was taken, where the user has one. */
  codeEntered: boolean;
}

/** A session and the value of its cookie, which is stored nowhere. */
export interface Begun {
  session: Session;
  token: string;
}

/** Sessions of one user that may be open at once; the oldest end beyond it. */
const MOST_OPEN = 50;

export async function beginSession(context: SessionsContext, options: BeginOptions): Promise<Begun> {
  const { people, clock, ids } = context;
  const { user, member, from, linkBy, requestId, mustSetPassword, codeEntered } = options;
  const via = linkBy && ('link' as const);
  const [token, id, now] = [newToken(), prefixed('ses', ids.next()), clock.now()];
  const begun: Session = {
    ...{
      _id: tokenHash(token),
      version: 1,
      session: id,
      user: user._id,
      owner: ownerOf(user),
      account: member.account,
      member: member._id,
    },
    ...{
      member_epoch: member.epoch,
      created_at: now,
      last_used_at: now,
      ip: from.address,
      user_agent: from.userAgent,
      via,
      link_by: linkBy,
    },
    ...{
      stepped_at: via === null ? now : 0,
      must_set_password: mustSetPassword,
      must_enter_code: hasTotp(user) && !codeEntered,
      till: null,
      ended_at: null,
    },
    due_at: 0,
  };
  const actor = { type: 'member' as const, id: member._id, ip: from.address, ...(via && { via }) };
  const change = {
    actor,
    requestId,
    type: 'session' as const,
    verb: 'created' as const,
    target: { id, name: null },
    changes: changesOf(['account'], undefined, begun),
  };
  const session = { ...begun, ...withChange(undefined, change, context) };
  await people.sessions.insert(session);
  context.forget(session._id);
  await endOldest(context, user, session.must_enter_code);
  return { session, token };
}

/**
 * The same session under a new id, so that the value of the cookie before is none any more. `change`: what is different. It ends under the id before first: of what
 * ends and what renews a session at once, at any replica, one succeeds. Throws invalid_session for one that has ended.
 */
export async function renewSession(
  { people, clock, terms }: SessionsContext,
  { _id }: Pick<Session, '_id'>,
  change: Partial<Session>,
): Promise<Begun> {
  const [token, now] = [newToken(), clock.now()];
  const [ended] = await people.sessions.claim({ _id, ended_at: null }, { set: { ended_at: now, due_at: now } });
  if (!ended) throw invalidSession();
  const { unpublished, ...session } = ended;
  const renewed: Session = { ...session, ...change, _id: tokenHash(token), version: 1, ended_at: null, last_used_at: now };
  renewed.due_at = endOf(renewed, terms);
  await people.sessions.insert(renewed);
  return { session: renewed, token };
}

export async function endSession(
  context: SessionsContext,
  session: Session,
  by: { member: string; address: string; requestId: string },
): Promise<void> {
  const { people, clock } = context;
  const actor = { type: 'member' as const, id: by.member, ip: by.address, ...(session.via && { via: session.via }) };
  const change = {
    actor,
    requestId: by.requestId,
    type: 'session' as const,
    verb: 'deleted' as const,
    target: { id: session.session, name: null },
    changes: {},
  };
  await compareAndSet<Session, undefined>(people.sessions, session._id, {
    absent: () => undefined,
    change: (now) => (now.ended_at === null ? { ended_at: clock.now(), ...withChange(now, change, context) } : undefined),
  });
}

/** Those that wait for a code, for which the password is enough, end only each other. */
async function endOldest({ people, clock }: SessionsContext, user: User, codeIsMissing: boolean): Promise<void> {
  const filter = { owner: ownerOf(user), ended_at: null, must_enter_code: codeIsMissing };
  const open = await Array.fromAsync(people.sessions.find(filter, { limit: 2 * MOST_OPEN }));
  const [now, oldest] = [clock.now(), open.sort((a, b) => b.created_at - a.created_at).slice(MOST_OPEN)];
  for (const { _id } of oldest) await people.sessions.claim({ _id, ended_at: null }, { set: { ended_at: now, due_at: now } });
}
