import { type Clock, DomainError } from '@svc/kernel';
import { routes } from '@svc/contracts/routes';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { beginServerSpan } from '../telemetry/http-spans.ts';
import { givenTraceparent } from '../telemetry/traceparent.ts';
import { createQueryCheck } from '../routing/query-check.ts';
import { createIdentityReader } from './identity-token.ts';
import type { InternalKeys } from './internal-keys.ts';
import { permissionError } from './permits.ts';

/** The header that carries the token. The gateway lets none in from outside. */
export const IDENTITY_HEADER = 'x-svc-identity';

export interface InternalIdentityOptions {
  keys: InternalKeys;
  /** The name of this service, as the route table has it. */
  audience: string;
  clock: Pick<Clock, 'now'>;
}

/**
 * What the edge does where it stands before a service in one process, for a service of a process of its own: fills
 * `request.identity` and `request.query`, puts X-Request-Id on every answer. Without a good identity everything under /v1 is 401,
 * whatever is wrong with it, without the permission of the route 403; other paths pass untouched. For an app that is not initialized yet.
 */
export function useInternalIdentity(fastify: FastifyInstance, { keys, audience, clock }: InternalIdentityOptions): void {
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
    const identity = typeof token === 'string' ? read(token) : undefined;
    if (identity === undefined) return done(unknownCaller());
    const traceparent = traceparentAt(request, reply);
    if (traceparent !== undefined) identity.traceparent = traceparent;
    request.identity = identity;
    reply.header('x-request-id', identity.requestId);
    const route = request.routeOptions.config.serves;
    done(route === undefined ? undefined : permissionError(route, identity.permissions));
  });

  fastify.addHook('preValidation', (request, _reply, done) => {
    const route = request.routeOptions.config.serves;
    done(route === undefined ? undefined : checkQuery(request, route));
  });
}

/** By the route that was found, so that no spelling of a URL goes round it. */
const isOfInterface = ({ routeOptions, raw }: FastifyRequest): boolean => /^\/v1(?:[/?#]|$)/.test(routeOptions.url ?? raw.url ?? '');

const unknownCaller = (): DomainError => new DomainError('invalid_api_key', 'Who asks is not known here. Ask the gateway.');
