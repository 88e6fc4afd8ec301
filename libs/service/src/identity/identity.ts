import type { Actor, Env, Uid } from '@svc/kernel';

/** Who asks, as the edge found out. Behind the edge everyone reads `request.identity` and nothing else about the caller. */
export interface Identity {
  /** `acct_…` */
  account: string;
  env: Env;
  /** env === 'live' */
  livemode: boolean;
  permissions: readonly string[];
  actor: Actor;
  /** `req_…` */
  requestId: string;
  /** On POST and PATCH (elsewhere too, unused): what the command creates has these 128 bits as its id. */
  commandId: Uid;
  traceparent?: string;
}

declare module 'fastify' {
  interface FastifyRequest {
    identity: Identity;
  }
}
