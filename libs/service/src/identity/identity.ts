import type { Actor, Env, Uid } from '@svc/kernel';

/** The authenticated caller. Handlers read `request.identity` and nothing else about the caller. */
export interface Identity {
  /** `acct_…` */
  account: string;
  env: Env;
  /** env === 'live' */
  livemode: boolean;
  permissions: readonly string[];
  /** Present: who calls sees no personal data of customers and documents. */
  personalData?: false;
  actor: Actor;
  /** `req_…` */
  requestId: string;
  /** The id of the command; what a POST creates has these 128 bits as its id. */
  commandId: Uid;
  traceparent?: string;
}

declare module 'fastify' {
  interface FastifyRequest {
    identity: Identity;
  }
}
