import type { Cancellation, Doubt, Ending, Fault, Opened, PreparedRecord, Registration, Started } from './facts.ts';

/** Stored in `submission-<env>.<account>.<document>`; private, version 1 each. `at` is ISO 8601; `cancellation` is the wish's `sequence`. */
export type SubmissionEvent =
  | { type: 'SubmissionOpened'; data: Opened & { at: string } }
  | { type: 'RecordPrepared'; data: PreparedRecord & { round: number; at: string } }
  | { type: 'AttemptStarted'; data: Started }
  | { type: 'AttemptEnded'; data: Ending & { delayed: Doubt | null } }
  | { type: 'SubmissionRegistered'; data: Registration & Told }
  | { type: 'SubmissionRejected'; data: { error: Fault } & Told }
  | { type: 'ReviewRequired'; data: { error: Fault } & Told }
  | { type: 'CancellationRequested'; data: Cancellation & { at: string } }
  | { type: 'CancellationRegistered'; data: { cancelled_at: string; cancellation: number } & Told }
  | { type: 'CancellationRefused'; data: { error: Omit<Fault, 'fixable'>; cancellation: number } & Told };

/** What every outcome says besides, so that it can be told to others from the event alone. */
export interface Told extends Doubt {
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
