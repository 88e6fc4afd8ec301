import type { SubmissionEvent } from './events.ts';
import type { Cancelling, Known, State } from './state.ts';

/** The fields that every status keeps: identity and attempts. The record is dropped once the outcome is known. */
export function historyOf(state: Known) {
  const { document_id, kind, round, authority, number, issuer_tax_id, simulate, traceparent } = state;
  const { attempts, attemptCount, lastAttemptAt, cancellationsSeen } = state;
  return {
    document_id,
    kind,
    round,
    authority,
    number,
    issuer_tax_id,
    simulate,
    traceparent,
    attempts,
    attemptCount,
    lastAttemptAt,
    cancellationsSeen,
  };
}

/** The stream is corrupt. */
export const misplaced = (event: SubmissionEvent, state: State): Error => new Error(`${event.type} does not follow on ${state.status}`);

/** What follows on a registration once its cancellation is requested. */
export const cancelling = (cancellation: Cancelling['cancellation']) => ({
  ...{
    status: 'cancelling' as const,
    cancellation,
    prepared: null,
    link: null,
    open: null,
    failures: 0,
    failing: null,
    absences: 0,
    doubt: 'none' as const,
  },
});
