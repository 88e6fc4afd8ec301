import type { Logger } from '@svc/service';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** Logs one line for each request at level debug. It never holds a key, a query or a body. */
export function createRequestLog(logger: Logger): (request: FastifyRequest, reply: FastifyReply) => void {
  return (request, reply) => {
    if (!logger.isLevelEnabled('debug')) return;
    const { requestContext } = request;
    const asked = request.headers['x-request-id'];
    logger.debug(
      {
        request_id: reply.getHeader('x-request-id'),
        ...(typeof asked === 'string' && { client_request_id: asked.slice(0, 255) }),
        account: requestContext?.caller.account,
        env: requestContext?.caller.env,
        route: requestContext?.route?.name ?? 'unknown',
        method: request.method,
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime * 10) / 10,
        trace_id: request.identity?.traceparent?.slice(3, 35),
      },
      'request',
    );
  };
}
