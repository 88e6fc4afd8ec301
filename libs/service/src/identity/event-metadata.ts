import type { Actor, EventMetadata } from '@svc/kernel';
import type { Identity } from './identity.ts';

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
