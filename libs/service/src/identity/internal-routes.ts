import type { Class } from '@svc/contracts/schema/class';
import { DomainError } from '@svc/kernel';
import type { FastifyInstance } from 'fastify';
import { validatedBody } from '../routing/checks.ts';
import type { Identity } from './identity.ts';
import { createIdentityReader } from './identity-token.ts';
import { IDENTITY_HEADER, type InternalIdentityOptions } from './use-internal-identity.ts';

/** A permission that no key has: the gateway asks for itself, not for a caller. */
const INTERNAL = 'internal';

/** The gateway as the one who asks. */
export const gatewayIdentity: Identity = {
  ...{ account: 'gateway', env: 'live', livemode: true, permissions: [INTERNAL], actor: { type: 'system', id: 'gateway' } },
  ...{ requestId: INTERNAL, commandId: INTERNAL },
};

/** A POST that a service answers to the gateway alone. */
export interface InternalRoute<Body extends object = object> {
  path: `/internal/${string}`;
  body: Class<Body>;
  answer(body: Body): Promise<object>;
}

/**
 * Serves internal routes in a service's own process. The gateway forwards none of them; a request without a token of the gateway itself gets 401, also
 * with that of a caller. Call it before the app is initialized.
 */
export function useInternalRoutes(
  fastify: FastifyInstance,
  options: Omit<InternalIdentityOptions, 'logger'>,
  routes: readonly InternalRoute[],
): void {
  const read = createIdentityReader(options.keys, options.audience, options.clock);
  for (const { path, body, answer } of routes) {
    fastify.route({
      ...{ method: 'POST', url: path, ...validatedBody(body) },
      onRequest(request, _reply, done) {
        const token = request.headers[IDENTITY_HEADER];
        const given = typeof token === 'string' ? read(token) : undefined;
        done(given?.kind === 'valid' && given.identity.permissions.includes(INTERNAL) ? undefined : unknownCaller());
      },
      handler: async (request) => answer(request.body as object),
    });
  }
}

const unknownCaller = (): DomainError => new DomainError('invalid_api_key', 'Only the gateway may ask this.');
