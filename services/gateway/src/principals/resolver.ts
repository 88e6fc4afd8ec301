import type { DomainError } from '@svc/kernel';
import type { FastifyRequest } from 'fastify';
import type { RouteEntry } from '../routing/route-table.ts';
import type { Principal } from './principal.ts';

/** Why a request has no principal, and the challenge (RFC 9110, 11.6.1) of that response, if there is one. */
export interface Unresolved {
  error: DomainError;
  challenge?: string;
}

/** Finds the principal of a request by one kind of credential, and judges what it may. */
export interface Resolver {
  /** Synchronous where the credential was looked up lately. null: there is no valid one. Rejects with service_unavailable where it cannot be looked up. */
  resolve(request: FastifyRequest): Principal | null | Promise<Principal | null>;
  /** The same from the database, where a cached principal lacks what may have been given since. */
  lookAgain?(request: FastifyRequest): Promise<Principal | null>;
  /** What to answer a request whose principal is null. */
  refusal(request: FastifyRequest): Unresolved;
  /** Why a request is refused whatever its path; undefined: it is not. Part of step 2. */
  refuses?(request: FastifyRequest): DomainError | undefined;
  /** Step 5. */
  forbids(request: FastifyRequest, principal: Principal, route: RouteEntry): DomainError | undefined;
}
