import { createIds, prefixed, systemClock } from '@svc/kernel';
import type { FastifyReply, FastifyRequest } from 'fastify';

const ids = createIds(systemClock);

export const newRequestId = (): string => prefixed('req', ids.next());

/** The request's id: from the reply or the identity, else a new one. Sets it as X-Request-Id of the reply. */
export function requestIdOf(request: FastifyRequest, reply: FastifyReply): string {
  const shown = reply.getHeader('x-request-id');
  if (typeof shown === 'string') return shown;
  const id = request.identity?.requestId ?? newRequestId();
  reply.header('x-request-id', id);
  return id;
}
