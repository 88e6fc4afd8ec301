import { prefixed } from '@svc/kernel';
import { changesOf, withChange } from '@svc/service';
import type { Member } from '../members/member.ts';
import { hasTotp, ownerOf, type User } from '../members/user.ts';
import type { From, SessionsContext } from './context.ts';
import { endOf, type Session } from './session.ts';
import { newToken, tokenHash } from '../members/tokens.ts';

export interface BeginOptions {
  user: User;
  /** The account that it acts in. */
  member: Member;
  from: From;
  via: 'link' | null;
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
  const { user, member, from, via, requestId, mustSetPassword, codeEntered } = options;
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
    ...{ member_epoch: member.epoch, created_at: now, last_used_at: now, ip: from.address, user_agent: from.userAgent, via },
    ...{ stepped_at: now, must_set_password: mustSetPassword, must_enter_code: hasTotp(user) && !codeEntered, till: null, ended_at: null },
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
  await endOldest(context, user);
  return { session, token };
}

/** The same session under a new id, so that the value of the cookie before is none any more. `change`: what is different. */
export async function renewSession(
  { people, clock, terms }: SessionsContext,
  { unpublished, ...session }: Session,
  change: Partial<Session>,
): Promise<Begun> {
  const token = newToken();
  const renewed: Session = { ...session, ...change, _id: tokenHash(token), version: 1, last_used_at: clock.now() };
  renewed.due_at = endOf(renewed, terms);
  await people.sessions.insert(renewed);
  await endSilently({ people, clock }, session._id);
  return { session: renewed, token };
}

/** Ends a session that goes on under another id. What it carries is published first. */
async function endSilently({ people, clock }: Pick<SessionsContext, 'people' | 'clock'>, id: string): Promise<void> {
  await people.sessions.claim({ _id: id }, { set: { ended_at: clock.now(), due_at: clock.now() } });
}

/** Ends a session at the request of its user. */
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
  const now = await people.sessions.get(session._id);
  if (!now || now.ended_at !== null) return;
  await people.sessions.claim({ _id: now._id }, { set: { ended_at: clock.now(), ...withChange(now, change, context) } });
}

async function endOldest({ people, clock }: SessionsContext, user: User): Promise<void> {
  const open = await Array.fromAsync(people.sessions.find({ owner: ownerOf(user) }, { limit: 2 * MOST_OPEN }));
  const live = open.filter(({ ended_at: ended }) => ended === null).sort((a, b) => b.created_at - a.created_at);
  for (const { _id } of live.slice(MOST_OPEN)) await endSilently({ people, clock }, _id);
}
