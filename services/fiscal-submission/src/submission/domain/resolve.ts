import type { DocumentKind } from '@svc/contracts/documents';
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

/** Names the status of the document and what can be done with it, as its resource does. */
function refused({ kind, status }: Known): DomainError {
  const known = documentOf[kind][status];
  return invalidState('Resolution', known.status, known.actions);
}

interface Shown {
  status: string;
  actions: readonly string[];
}
const none: readonly string[] = [];
const ended = { cancelling: { status: 'voiding', actions: none }, cancelled: { status: 'voided', actions: none } };
const issued = { status: 'issued', actions: ['void'] };
const submitting = { status: 'submitting', actions: none };

const documentOf: Record<DocumentKind, Record<Known['status'], Shown>> = {
  invoice: {
    ...ended,
    ...{ opened: submitting, pending: submitting, unknown: submitting, needs_review: submitting },
    registered: { status: 'submitted', actions: ['void'] },
    rejected: { status: 'failed', actions: ['update', 'submit', 'void'] },
  },
  receipt: {
    ...ended,
    ...{ opened: issued, pending: issued, unknown: issued, needs_review: issued, registered: issued, rejected: issued },
  },
};
