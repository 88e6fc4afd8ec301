import type { Actor, Env, EventMetadata, Uid } from '@svc/kernel';

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

/** Who did something, as it is kept for ever: by id alone, so that an erasure reaches the name. The address is for the audit, which ends. */
export const storedActor = ({ type, id, via }: Actor): Actor => ({ type, id, ...(via && { via }) });

/** What the events of this caller's command carry; `subject`: whose personal data they hold. */
export function metadataOf(identity: Identity, subject?: string): Omit<EventMetadata, 'v'> {
  return {
    account: identity.account,
    env: identity.env,
    command_id: identity.commandId,
    request_id: identity.requestId,
    actor: storedActor(identity.actor),
    ...(identity.traceparent === undefined ? {} : { traceparent: identity.traceparent }),
    ...(subject === undefined ? {} : { subject }),
  };
}
