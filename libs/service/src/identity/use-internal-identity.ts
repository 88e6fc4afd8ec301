import { type Clock, DomainError } from '@svc/kernel';
import { routes } from '@svc/contracts/routes';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from '../logging/logger.ts';
import { beginServerSpan, givenTraceparent } from '../telemetry/spans.ts';
import { createQueryCheck, permissionError } from '../routing/checks.ts';
import { createIdentityReader, type TokenRead } from './identity-token.ts';
import type { InternalKeys } from './internal-keys.ts';

/** The header of the identity token. The gateway does not forward one from outside. */
export const IDENTITY_HEADER = 'x-svc-identity';

/** The path and query that the gateway was asked for, where it forwards another path: links of lists lead there. */
export const ORIGINAL_PATH_HEADER = 'x-svc-original-path';

export interface InternalIdentityOptions {
  keys: InternalKeys;
  /** The name of this service in the table of routes. */
  audience: string;
  clock: Pick<Clock, 'now'>;
  logger: Pick<Logger, 'warn'>;
}

/**
 * Does for a service in a process of its own what the edge does within one process: sets `request.identity` and `request.query`, and X-Request-Id
 * on every response. A request under /v1 without a valid identity gets 401, one without the permission of its route 403, and 503
 * where the gateway's token has ended before it was read: nothing is executed for whoever waits no more. Other paths are not affected. Call it before the app is initialized.
 */
export function useInternalIdentity(fastify: FastifyInstance, { keys, audience, clock, logger }: InternalIdentityOptions): void {
  const read = createIdentityReader(keys, audience, clock);
  const checkQuery = createQueryCheck();

  const traceparentAt = (request: FastifyRequest, reply: FastifyReply): string | undefined => {
    const { serves } = request.routeOptions.config;
    return serves === undefined
      ? givenTraceparent(request.headers.traceparent)
      : beginServerSpan(request, reply, { service: audience, route: `/v1${routes[serves].path}` });
  };

  fastify.addHook('onRequest', (request, reply, done) => {
    if (!isOfInterface(request)) return done();
    const token = request.headers[IDENTITY_HEADER];
    const given: TokenRead = typeof token === 'string' ? read(token) : { kind: 'invalid' };
    if (given.kind === 'invalid') return done(unknownCaller());
    const { identity } = given;
    const original = request.headers[ORIGINAL_PATH_HEADER];
    if (typeof original === 'string') Object.assign(request.raw, { originalUrl: original });
    if (given.kind === 'untimely') {
      reply.header('x-request-id', identity.requestId);
      logger.warn({ request_id: identity.requestId, late_seconds: Math.round(given.lateS) }, UNTIMELY);
      return done(tooLate());
    }
    const traceparent = traceparentAt(request, reply);
    if (traceparent !== undefined) identity.traceparent = traceparent;
    request.identity = identity;
    reply.header('x-request-id', identity.requestId);
    const route = request.routeOptions.config.serves;
    done(route === undefined ? undefined : permissionError(route, identity.permissions));
  });

  fastify.addHook('preValidation', (request, _reply, done) => {
    const route = request.routeOptions.config.serves;
    done(route === undefined ? undefined : checkQuery(request, routes[route]));
  });
}

/** Decided by the matched route, so that no spelling of the URL bypasses it. */
const isOfInterface = ({ routeOptions, raw }: FastifyRequest): boolean => /^\/v1(?:[/?#]|$)/.test(routeOptions.url ?? raw.url ?? '');

const UNTIMELY =
  'the identity of a request had ended when it was read: this process was busy for so long, or its clock and that of the gateway differ. Nothing was executed';

const tooLate = (): DomainError =>
  new DomainError('service_unavailable', 'The request waited too long before it was read. Nothing was done; try again.', undefined, 1);

const unknownCaller = (): DomainError => new DomainError('invalid_api_key', 'Who asks is not known here. Ask the gateway.');
