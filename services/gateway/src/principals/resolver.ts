import type { DomainError } from '@svc/kernel';
import type { FastifyRequest } from 'fastify';
import type { Principal } from './principal.ts';

/** Why a request has no principal, and the challenge (RFC 9110, 11.6.1) of that response. */
export interface Unresolved {
  error: DomainError;
  challenge: string;
}

/** Finds the principal of a request by one kind of credential. */
export interface Resolver {
  /** Synchronous where the credential was looked up lately. null: there is no valid one. Rejects with service_unavailable where it cannot be looked up. */
  resolve(request: FastifyRequest): Principal | null | Promise<Principal | null>;
  /** What to answer a request whose principal is null. */
  refusal(request: FastifyRequest): Unresolved;
}
