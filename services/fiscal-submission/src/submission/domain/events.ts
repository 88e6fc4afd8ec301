import type { Cancellation, Doubt, Ending, AuthorityError, Opened, PreparedRecord, Registration, Started } from './facts.ts';

/**
 * Stored in `submission-<env>.<account>.<document>`; private, each in version 1. `at` is ISO 8601; `cancellation` is the `sequence` of the
 * cancellation request.
 */
export type SubmissionEvent =
  | { type: 'SubmissionOpened'; data: Opened & { at: string } }
  | { type: 'RecordPrepared'; data: PreparedRecord & { round: number; at: string } }
  | { type: 'AttemptStarted'; data: Started }
  | { type: 'AttemptEnded'; data: Ending & { delayed: Doubt | null } }
  | { type: 'SubmissionRegistered'; data: Registration & OutcomeFacts }
  | { type: 'SubmissionRejected'; data: { error: AuthorityError } & OutcomeFacts }
  | { type: 'ReviewRequired'; data: { error: AuthorityError } & OutcomeFacts }
  | { type: 'CancellationRequested'; data: Cancellation & { at: string } }
  | { type: 'CancellationRegistered'; data: { cancelled_at: string; cancellation: number } & OutcomeFacts }
  | { type: 'CancellationRefused'; data: { error: Omit<AuthorityError, 'fixable'>; cancellation: number } & OutcomeFacts };

/** Fields of every outcome, so that it can be published from the event alone. */
export interface OutcomeFacts extends Doubt {
  attempts: number;
  last_attempt_at: string;
  at: string;
}

export const eventTypes: readonly SubmissionEvent['type'][] = [
  'SubmissionOpened',
  'RecordPrepared',
  'AttemptStarted',
  'AttemptEnded',
  'SubmissionRegistered',
  'SubmissionRejected',
  'ReviewRequired',
  'CancellationRequested',
  'CancellationRegistered',
  'CancellationRefused',
];
