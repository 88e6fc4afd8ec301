import { missingIn } from '@svc/contracts/console/requests';
import type { SessionResource } from '@svc/contracts/console/resources';
import { invalid, iso, notFound } from '@svc/kernel';
import { listEnvelope } from '@svc/service';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { accountsOf, membershipsOf } from '../members/memberships.ts';
import { hasTotp, ownerOf, type User } from '../members/user.ts';
import { userResource } from '../members/user-resource.ts';
import { sliceOf } from '../page-of.ts';
import type { SessionView } from '../sessions/session-view.ts';
import { endSession, renewSession } from '../sessions/begin-session.ts';
import type { From } from '../sessions/context.ts';
import { isOver, type Session } from '../sessions/session.ts';
import { signIn } from '../sessions/sign-in.ts';
import { spendLink } from '../sessions/spend-link.ts';
import { stepUp } from '../sessions/step-up.ts';
import type { ConsoleContext, ConsoleHandlers } from './handlers.ts';
import { fromOf, sessionOf } from './session-of.ts';

const MOST_SESSIONS = 100;

export function sessionHandlers(context: ConsoleContext) {
  const { people, store, cookies, clock, terms } = context;
  const from = (request: FastifyRequest): From => fromOf(request, context.addressOf(request));
  const by = (request: FastifyRequest) => ({
    ...{ member: sessionOf(request).member._id, address: context.addressOf(request), requestId: request.identity.requestId },
  });

  const shown = async (user: User, session: Session): Promise<SessionResource> => {
    const [members, account, member] = await Promise.all([
      membershipsOf(context, user._id),
      store.accounts.get(session.account),
      people.members.get(session.member),
    ]);
    const view = account && member && { session, user, account, member, usedAt: 0 };
    return {
      ...{ object: 'session', user: userResource(user), accounts: await accountsOf(context, members, session.account) },
      ...lacks(view, user, session),
    };
  };

  return {
    async 'POST /console/session'(request, reply) {
      const { token, email, password, code } = request.body;
      const missing = missingIn(request.body);
      if (missing.length > 0) throw invalid(Object.fromEntries(missing.map((field) => [field, [`Send ${field}.`]])));
      const credentials = email === undefined || password === undefined ? undefined : { email, password, code };
      const requestId = String(reply.getHeader('x-request-id'));
      const signingIn = { from: from(request), requestId, browser: cookies.browser(request) };
      const {
        user,
        session,
        token: value,
        browser,
      } = token === undefined && credentials
        ? await signIn(context, credentials, signingIn)
        : await spendLink(context, token ?? '', credentials, signingIn);
      cookies.setSession(reply, value);
      if (browser !== undefined) cookies.setBrowser(reply, browser);
      return shown(user, session);
    },

    'GET /console/session'(request) {
      const { user, session } = sessionOf(request);
      return shown(user, session);
    },

    async 'DELETE /console/session'(request, reply) {
      const { session } = sessionOf(request);
      await endSession(context, session, by(request));
      context.forget(session._id);
      cookies.clearSession(reply);
      return { done: true };
    },

    async 'PUT /console/session/account'(request, reply) {
      const { session, user } = sessionOf(request);
      const member = (await membershipsOf(context, user._id)).find(({ account }) => account === request.body.account);
      if (!member) throw invalid({ account: ['is no account of yours.'] });
      if (member.account === session.account) return shown(user, session);
      const change = { account: member.account, member: member._id, member_epoch: member.epoch, till: null };
      return shown(user, await renewed(reply, session, change));
    },

    async 'PUT /console/session/till'(request) {
      const { session, member } = sessionOf(request);
      const { unit, device } = request.body;
      await people.sessions.claim({ _id: session._id }, { set: { till: { unit, device } } });
      context.forget(session._id);
      return { unit, device, operator: member.operator };
    },

    async 'POST /console/session/step-up'(request) {
      const until = await stepUp(context, sessionOf(request), request.body, { from: from(request), browser: cookies.browser(request) });
      return { until: iso(until) };
    },

    async 'GET /console/sessions'(request) {
      const { user, session } = sessionOf(request);
      const all = await Array.fromAsync(people.sessions.find({ owner: ownerOf(user), ended_at: null }, { limit: MOST_SESSIONS }));
      const open = all.filter((one) => !isOver(one, terms, clock.now())).sort((a, b) => b.created_at - a.created_at);
      const data = sliceOf(open, request.query).map((one) => ({
        ...{
          id: one.session,
          created_at: iso(one.created_at),
          last_used_at: iso(one.last_used_at),
          ip: one.ip,
          user_agent: one.user_agent,
        },
        current: one._id === session._id,
      }));
      return listEnvelope({ publicUrl: context.publicUrl, request, total: open.length, data });
    },

    async 'DELETE /console/sessions/{id}'(request, reply) {
      const { user, session } = sessionOf(request);
      const [found] = await Array.fromAsync(people.sessions.find({ session: request.params.id }, { limit: 2 }));
      const current = found && (await latest(found));
      if (!current || current.owner !== ownerOf(user) || isOver(current, terms, clock.now())) throw notFound('session');
      await endSession(context, current, by(request));
      context.forget(current._id);
      if (current._id === session._id) cookies.clearSession(reply);
      return { done: true };
    },
  } satisfies Partial<ConsoleHandlers>;

  /** A session that was renewed is stored under both of its ids until what it carries is published. */
  async function latest(found: Session): Promise<Session> {
    const all = await Array.fromAsync(people.sessions.find({ session: found.session }, { limit: 10 }));
    return all.find(({ ended_at: ended }) => ended === null) ?? found;
  }

  async function renewed(reply: FastifyReply, session: Session, change: Partial<Session>): Promise<Session> {
    const { session: next, token } = await renewSession(context, session, change);
    context.forget(session._id);
    cookies.setSession(reply, token);
    return next;
  }
}

function lacks(
  view: SessionView | undefined,
  user: User,
  session: Session,
): Pick<SessionResource, 'must_set_password' | 'must_enter_code' | 'must_set_totp'> {
  return {
    must_set_password: session.must_set_password || user.password === null,
    must_enter_code: session.must_enter_code && hasTotp(user),
    must_set_totp: view?.account.require_totp === true && !hasTotp(user),
  };
}
