import type { Cancellation, Doubt, Ending, AuthorityError, Opened, PreparedRecord, Registration, Started } from './facts.ts';

/** Stored in `submission-<env>.<account>.<document>`; private, version 1 each. `at` is ISO 8601; `cancellation` is the wish's `sequence`. */
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

/** What every outcome says besides, so that it can be told to others from the event alone. */
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
