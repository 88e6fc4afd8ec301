import { createIds, prefixed, systemClock } from '@svc/kernel';
import type { FastifyReply, FastifyRequest } from 'fastify';

const ids = createIds(systemClock);

export const newRequestId = (): string => prefixed('req', ids.next());

/** The id this request goes by: what the edge put on the answer or into the identity, else one made now. It then stands on the answer. */
export function requestIdOf(request: FastifyRequest, reply: FastifyReply): string {
  const shown = reply.getHeader('x-request-id');
  if (typeof shown === 'string') return shown;
  const id = request.identity?.requestId ?? newRequestId();
  reply.header('x-request-id', id);
  return id;
}
