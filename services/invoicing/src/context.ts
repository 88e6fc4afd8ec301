import type { EventMetadata } from '@svc/kernel';
import { type Identity, storedActor } from '@svc/service';

/** Nest's injection token of what the controllers work with: a `DocumentContext`. */
export const CONTEXT = Symbol('Context');

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
