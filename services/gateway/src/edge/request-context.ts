import type { Uid } from '@svc/kernel';
import type { Caller } from '../accounts/caller.ts';
import type { Claim } from '../idempotency/row.ts';
import type { RouteEntry } from './route-table.ts';

/** What the edge knows of a request under /v1 on its way through. */
export interface RequestContext {
  requestId: string;
  /** The request's own 128 bits: its id and, unless an Idempotency-Key says otherwise, its command's. */
  uid: Uid;
  /** Decoded, below /v1, without a slash at its end: `/invoices/inv_01…`. */
  path: string;
  caller: Caller;
  /** undefined: the path, or the method there, is unknown. */
  route: RouteEntry | undefined;
  /** Set while this request is the one that runs under its Idempotency-Key. */
  claim: Claim | undefined;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** null outside /v1. */
    requestContext: RequestContext | null;
  }
}
