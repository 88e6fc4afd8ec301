import type { PublicEvent } from '@svc/contracts/events/envelope';
import {
  CancellationRefusedV1,
  DocumentAmendedV1,
  DocumentCancelledV1,
  DocumentDelayedV1,
  DocumentPreparedV1,
  DocumentRegisteredV1,
  DocumentRejectedV1,
  type CancellationRefused,
  type DocumentAmended,
  type DocumentDelayed,
  type DocumentPrepared,
  type DocumentRegistered,
  type DocumentRejected,
} from '@svc/contracts/registration/outcome';
import type { EventMetadata } from '@svc/kernel';
import type { FiscalError, Tried } from './domain/fiscal.ts';
import type { OutcomeCommand } from './domain/outcome.ts';

/** undefined for a type that this release does not know. */
export function outcomeCommand({ type, data }: PublicEvent, at: string): OutcomeCommand | undefined {
  const { attempts, last_attempt_at } = data as Tried;
  const tried = { attempts, last_attempt_at };
  switch (type) {
    case DocumentPreparedV1.type: {
      const { round, issuer_code, verification_url } = data as DocumentPrepared;
      return { type: 'prepare', at, round, preparation: { issuer_code, verification_url } };
    }
    case DocumentRegisteredV1.type: {
      const { round, code, issuer_code, registered_at, verification_url, late, code_kind, warnings } = data as DocumentRegistered;
      const more = { ...(code_kind && { code_kind }), ...(warnings && { warnings }) };
      return { type: 'register', at, round, registration: { code, issuer_code, registered_at, verification_url, late, ...more, ...tried } };
    }
    case DocumentAmendedV1.type: {
      const { round, warnings } = data as DocumentAmended;
      return { type: 'amend', at, round, amendment: { ...tried, ...(warnings && { warnings }) } };
    }
    case DocumentRejectedV1.type: {
      const { round, error } = data as DocumentRejected;
      return { type: 'reject', at, round, rejection: { error: fiscalError(error), ...tried } };
    }
    case DocumentDelayedV1.type: {
      const { round, status, error, next_attempt_at } = data as DocumentDelayed;
      return { type: 'delay', at, round, delay: { status, error: error && fiscalError(error), next_attempt_at, ...tried } };
    }
    case DocumentCancelledV1.type:
      return { type: 'cancel', at, cancelled: tried };
    case CancellationRefusedV1.type: {
      const {
        error: { code, message },
        refused_at,
        cancellation,
      } = data as CancellationRefused;
      return { type: 'refuse_void', at, refusal: { error: { code, message }, refused_at, cancellation, ...tried } };
    }
    default:
      return undefined;
  }
}

const fiscalError = ({ code, message, fixable }: FiscalError): FiscalError => ({ code, message, fixable });

/** Says of the stored event where it came from. */
export const outcomeMetadata = ({ id, source, account, env, traceparent }: PublicEvent): Omit<EventMetadata, 'v'> => ({
  account,
  env,
  actor: { type: 'system', id: source },
  causation: id,
  ...(traceparent === undefined ? {} : { traceparent }),
});
