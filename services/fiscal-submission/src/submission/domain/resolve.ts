import type { DocumentKind } from '@svc/contracts/documents';
import { noDoubt, type DocumentStatus } from '@svc/contracts/document/no-doubt';
import { DomainError } from '@svc/kernel';
import type { SubmissionEvent } from './events.ts';
import type { Resolution } from './facts.ts';
import { outcomeAt, type Known, type State } from './state.ts';

type InDoubt = Extract<State, { status: 'unknown' | 'needs_review' }>;

/**
 * A person says what became of a submission in doubt. A call that is under way goes on; what it brings is kept with its attempt and changes nothing else.
 * Throws not_found where nothing was submitted, invalid_state where there is no doubt.
 */
export function resolve(resolution: Resolution, at: string, state: State): SubmissionEvent[] {
  if (state.status === 'none') throw new DomainError('not_found', 'This document was never submitted.');
  if (state.status !== 'unknown' && state.status !== 'needs_review') throw refused(state);
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

/** Names the status of the document and what can be done with it, as far as its submission tells. */
function refused(state: Known): DomainError {
  const isResendable = state.kind === 'receipt' && state.status === 'rejected' && state.error.fixable !== 'data';
  return noDoubt(isResendable ? { status: 'issued', available_actions: ['resubmit', 'void'] } : documentOf[state.kind][state.status]);
}

const none: readonly string[] = [];
const ended = {
  cancelling: { status: 'voiding', available_actions: none },
  cancelled: { status: 'voided', available_actions: none },
};
const issued = { status: 'issued', available_actions: ['void'] };
const submitting = { status: 'submitting', available_actions: none };

const documentOf: Record<DocumentKind, Record<Known['status'], DocumentStatus>> = {
  invoice: {
    ...ended,
    ...{ opened: submitting, pending: submitting, unknown: submitting, needs_review: submitting },
    ...{ registered: { status: 'submitted', available_actions: ['void'] }, amending: { status: 'submitted', available_actions: ['void'] } },
    rejected: { status: 'failed', available_actions: ['update', 'submit', 'void'] },
  },
  receipt: {
    ...ended,
    ...{ opened: issued, pending: issued, unknown: issued, needs_review: issued, registered: issued, amending: issued, rejected: issued },
  },
};
