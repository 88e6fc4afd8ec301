import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { requestIdOf } from '../errors/request-id.ts';
import type { Logger } from '../logging/logger.ts';
import { createErrorLog, type ErrorLog, type ErrorResponse } from './error-log.ts';

/** The request's part of a log entry. The edge replaces the default by one that has more. */
export type RequestInfo = Pick<ErrorResponse, 'route' | 'account' | 'env' | 'traceparent' | 'scope'>;

declare module 'fastify' {
  interface FastifyInstance {
    errorLog: ErrorLog & { of: (request: FastifyRequest) => RequestInfo };
  }
  interface FastifyRequest {
    /** The error that was thrown, which the response does not show. */
    failure: unknown;
  }
}

/** Logs every error response: of hooks, of the filter, of upstreams and of replays. Call it before all other hooks. */
export function useErrorLog(fastify: FastifyInstance, logger: Logger): void {
  fastify.decorate('errorLog', { ...createErrorLog(logger), of: asked });
  fastify.decorateRequest('failure', undefined);
  fastify.addHook('onSend', (request, reply, payload, done) => {
    if (reply.statusCode >= 400) logAnswer(fastify, request, reply, payload);
    done(null, payload);
  });
  fastify.addHook('onClose', (_fastify, done) => {
    fastify.errorLog.close();
    done();
  });
}

/** Logs the response of `reply`, for requests for which Fastify runs no hooks. */
export function logWithoutHooks(fastify: FastifyInstance, request: FastifyRequest, reply: FastifyReply): void {
  const send = reply.send.bind(reply);
  reply.send = (payload?: unknown) => {
    logAnswer(fastify, request, reply, payload);
    return send(payload);
  };
}

function logAnswer({ errorLog }: FastifyInstance, request: FastifyRequest, reply: FastifyReply, payload: unknown): void {
  const code = codeIn(payload);
  // A health report, or a response to a client that has disconnected: not an error of the request.
  if (code === undefined && !isStream(payload)) return;
  errorLog.log({
    ...errorLog.of(request),
    ...{ requestId: requestIdOf(request, reply), status: reply.statusCode, code, method: request.method },
    ...{ clientRequestId: request.headers['x-request-id'], error: request.failure, payload },
  });
}

const asked = ({ identity, routeOptions, method, ip }: FastifyRequest): RequestInfo => ({
  route: routeOptions?.config?.serves ?? (routeOptions?.url ? `${method} ${routeOptions.url}` : 'unknown'),
  ...(identity && { account: identity.account, env: identity.env, traceparent: identity.traceparent }),
  scope: identity?.account ?? `ip ${ip}`,
});

/** The code in both forms of an error, which is before any text of the caller. */
const CODE = /^\{"error":\{"code":"(\w+)"|^\{"type":"[^"]*\/docs\/errors\/(\w+)"/;
/** An origin has at most some 270 characters. */
const LONGEST_HEAD = 400;

function codeIn(payload: unknown): string | undefined {
  const head =
    typeof payload === 'string'
      ? payload.slice(0, LONGEST_HEAD)
      : Buffer.isBuffer(payload)
        ? payload.toString('latin1', 0, LONGEST_HEAD)
        : '';
  const [, inEnvelope, inProblem] = CODE.exec(head) ?? [];
  return inEnvelope ?? inProblem;
}

const isStream = (payload: unknown): boolean => typeof payload === 'object' && payload !== null && 'pipe' in payload;
