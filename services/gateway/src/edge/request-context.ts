import type { Uid } from '@svc/kernel';
import type { Principal } from '../principals/principal.ts';
import type { AnswerForm, Claim } from '../idempotency/row.ts';
import type { RouteEntry } from '../routing/route-table.ts';

/** State of a request under /v1 at the edge. */
export interface RequestContext {
  requestId: string;
  /** 128 bits of the request: of its id and, unless an Idempotency-Key names an earlier one, of its command's id. */
  uid: Uid;
  /** Decoded, without /v1 and without a trailing slash: `/invoices/inv_01…`. */
  path: string;
  principal: Principal;
  /** undefined: the path or its method is unknown. */
  route: RouteEntry | undefined;
  /** The process asks itself: neither counted nor recorded. */
  inside?: true;
  /** Set while this request runs under its Idempotency-Key. */
  claim: Claim | undefined;
  /** Of a repeat whose response was made again. */
  form?: AnswerForm | undefined;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** null outside /v1 and before authentication. */
    requestContext: RequestContext | null;
  }
}
