import { DomainError, invalidState } from '@svc/kernel';
import type { SubmissionEvent } from './events.ts';
import type { Resolution } from './facts.ts';
import { outcomeAt } from './outcome.ts';
import type { Known, State } from './state.ts';

type InDoubt = Extract<State, { status: 'unknown' | 'needs_review' }>;

/**
 * A person says what became of a submission in doubt. A call that is under way goes on; what it brings is kept with its attempt and changes nothing else.
 * Throws not_found where nothing was submitted, invalid_state where there is no doubt.
 */
export function resolve(resolution: Resolution, at: string, state: State): SubmissionEvent[] {
  if (state.status === 'none') throw new DomainError('not_found', 'This document was never submitted.');
  if (state.status !== 'unknown' && state.status !== 'needs_review') throw invalidState('Resolution', statusOf(state), []);
  return [{ type: 'DoubtResolved', data: { ...resolution, at } }, outcome(resolution, at, state)];
}

function outcome(resolution: Resolution, at: string, state: InDoubt): SubmissionEvent {
  const facts = outcomeAt(state, at);
  if (resolution.outcome === 'not_registered') {
    const error = { code: 'not_registered', message: resolution.note, fixable: 'data' as const };
    return { type: 'SubmissionRejected', data: { error, ...facts } };
  }
  const { issuer_code, verification_url, issued_at, late_after } = state.prepared;
  // When the authority registered it is not known: it was asked to in time, if it was issued before it was too late.
  const registration = {
    code: resolution.code,
    issuer_code,
    registered_at: at,
    verification_url,
    late: issued_at > late_after,
    warnings: [],
  };
  return { type: 'SubmissionRegistered', data: { ...registration, ...facts } };
}

/** The status of the document as its resource shows it. */
function statusOf({ kind, status }: Known): string {
  if (status === 'cancelling') return 'voiding';
  if (status === 'cancelled') return 'voided';
  if (kind === 'receipt') return 'issued';
  return status === 'registered' ? 'submitted' : status === 'rejected' ? 'failed' : 'submitting';
}
