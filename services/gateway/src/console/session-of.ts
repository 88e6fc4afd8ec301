import type { FastifyRequest } from 'fastify';
import { stepUpRequired } from '../principals/session/refusals.ts';
import { isStepped } from '../sessions/session.ts';
import type { SessionView } from '../sessions/session-view.ts';
import type { From, SessionsContext } from '../sessions/context.ts';
import type { ByMember } from '../members/invite.ts';

const LONGEST_AGENT = 255;

/** The session of a request that the edge has let in. */
export function sessionOf({ requestContext }: FastifyRequest): SessionView {
  const view = requestContext?.principal.session;
  if (!view) throw new Error('a route of the dashboard was reached without a session');
  return view;
}

export const byOf = (request: FastifyRequest): ByMember => ({
  actor: request.identity.actor,
  role: sessionOf(request).member.role,
  requestId: request.identity.requestId,
});

/** `address`: as the trusted proxies say. */
export const fromOf = ({ headers }: FastifyRequest, address: string): From => ({
  address,
  userAgent: headers['user-agent']?.slice(0, LONGEST_AGENT) ?? null,
});

/** Throws step_up_required unless password or code were given lately, as the session is stored now. */
export async function requireStepUp(
  { people, terms, clock }: Pick<SessionsContext, 'people' | 'terms' | 'clock'>,
  request: FastifyRequest,
): Promise<void> {
  const session = await people.sessions.get(sessionOf(request).session._id);
  if (!session || !isStepped(session, terms, clock.now())) throw stepUpRequired();
}
