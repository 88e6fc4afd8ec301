import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { requestIdOf } from '../errors/request-id.ts';
import type { Logger } from '../logging/logger.ts';
import { createErrorLog, type ErrorLog, type ErrorResponse } from './error-log.ts';

/** What whoever stands before the routes knows of a request. The edge knows more than a service behind it, and says so instead. */
export type RequestInfo = Pick<ErrorResponse, 'route' | 'account' | 'env' | 'traceparent' | 'scope'>;

declare module 'fastify' {
  interface FastifyInstance {
    errorLog: ErrorLog & { of: (request: FastifyRequest) => RequestInfo };
  }
  interface FastifyRequest {
    /** What was thrown, where the answer says nothing of it. */
    failure: unknown;
  }
}

/** Logs every answer that is an error, whoever made it: a hook, the filter, an owner behind the gateway, a kept answer. Goes before all other hooks. */
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

/** Logs the answer that is sent by `reply`, for requests that Fastify runs no hooks for. */
export function logWithoutHooks(fastify: FastifyInstance, request: FastifyRequest, reply: FastifyReply): void {
  const send = reply.send.bind(reply);
  reply.send = (payload?: unknown) => {
    logAnswer(fastify, request, reply, payload);
    return send(payload);
  };
}

function logAnswer({ errorLog }: FastifyInstance, request: FastifyRequest, reply: FastifyReply, payload: unknown): void {
  const code = codeIn(payload);
  // A report of health, or the answer to a caller who has gone: no error of a request's.
  if (code === undefined && !isStream(payload)) return;
  errorLog.log({
    ...errorLog.of(request),
    ...{ requestId: requestIdOf(request, reply), status: reply.statusCode, code, method: request.method },
    ...{ clientRequestId: request.headers['x-request-id'], error: request.failure },
  });
}

const asked = ({ identity, routeOptions, method, ip }: FastifyRequest): RequestInfo => ({
  route: routeOptions?.config?.serves ?? (routeOptions?.url ? `${method} ${routeOptions.url}` : 'unknown'),
  ...(identity && { account: identity.account, env: identity.env, traceparent: identity.traceparent }),
  scope: identity?.account ?? `ip ${ip}`,
});

/** Where it stands in both forms of an error, before anything that a caller wrote. */
const CODE = /^\{"error":\{"code":"(\w+)"|^\{"type":"urn:svc:problem:(\w+)"/;
const LONGEST_HEAD = 100;

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
