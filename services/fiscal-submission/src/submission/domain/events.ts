import { storedEvents } from '@svc/kernel';
import type { ChainLink } from '../../chain/domain/link.ts';
import type {
  AuthorityError,
  Cancellation,
  Doubt,
  Held,
  Ending,
  News,
  Opened,
  PreparedRecord,
  Registration,
  Resolution,
  SentRecord,
  Started,
  Unprepared,
} from './facts.ts';

/**
 * Stored in `submission-<env>.<account>.<document>`; private. `at` is ISO 8601; `cancellation` is the `sequence` of the
 * cancellation request.
 */
export type SubmissionEvent =
  /** `unprepared`: absent where the record follows in the same append, or the submission is rejected in it. */
  | { type: 'SubmissionOpened'; data: Opened & { unprepared?: Unprepared; at: string } }
  /** The chain's stream has the link; here the submission knows it. */
  | { type: 'RecordLinked'; data: { round: number; link: ChainLink; at: string } }
  /** `news`: published for the document, which can be printed before the authority has answered; absent where it is prepared when it is opened. */
  | { type: 'RecordPrepared'; data: PreparedRecord & { round: number; at: string; news?: Doubt } }
  /** The record cannot be prepared before something is fixed. Published for the document. */
  | { type: 'PreparationHeld'; data: Held & News & { at: string } }
  | { type: 'AttemptStarted'; data: Started }
  /** `delayed`: from now on it is not known whether it is registered. `news`: published for the document, with the error. `opened`: its till is. */
  | { type: 'AttemptEnded'; data: Ending & { delayed: Doubt | null; news?: News; opened?: true } }
  | { type: 'SubmissionRegistered'; data: Registration & OutcomeFacts }
  | { type: 'SubmissionRejected'; data: { error: AuthorityError } & OutcomeFacts }
  | { type: 'ReviewRequired'; data: { error: AuthorityError } & OutcomeFacts }
  /** By hand; its outcome follows in the same append. */
  | { type: 'DoubtResolved'; data: Resolution & { at: string } }
  | { type: 'CancellationRequested'; data: Cancellation & { at: string } }
  /** The cancellation is a record of the chain, which is whole. */
  | { type: 'CancellationPrepared'; data: SentRecord & { cancellation: number; link: ChainLink; at: string } }
  | { type: 'CancellationRegistered'; data: { cancelled_at: string; cancellation: number } & OutcomeFacts }
  /** By an operator, once a release makes right what an earlier one made wrong. `draft`, and the chain's revision `seen`: as of an unprepared record. */
  | { type: 'AmendmentRequested'; data: { amendment: number; draft: string; seen: string; at: string } }
  | { type: 'AmendmentPrepared'; data: SentRecord & { amendment: number; link: ChainLink; at: string } }
  /** The record of the amendment has replaced the registered one. */
  | { type: 'AmendmentRegistered'; data: Amended & OutcomeFacts }
  | { type: 'AmendmentRefused'; data: { amendment: number; error: Omit<AuthorityError, 'fixable'> } & OutcomeFacts }
  | { type: 'CancellationRefused'; data: { error: Omit<AuthorityError, 'fixable'>; cancellation: number } & OutcomeFacts };

/** `code`: of the amendment itself. */
export interface Amended extends Pick<Registration, 'code' | 'registered_at' | 'warnings' | 'warned'> {
  amendment: number;
}

/** Fields of every outcome, so that it can be published from the event alone. */
export interface OutcomeFacts extends Doubt {
  attempts: number;
  last_attempt_at: string;
  at: string;
}

/** The stored events, by the version that is written of each type. */
export const submissionEvents = storedEvents<SubmissionEvent>({
  SubmissionOpened: 1,
  RecordLinked: 1,
  RecordPrepared: 1,
  PreparationHeld: 1,
  AttemptStarted: 1,
  AttemptEnded: 1,
  SubmissionRegistered: 1,
  SubmissionRejected: 1,
  ReviewRequired: 1,
  DoubtResolved: 1,
  CancellationRequested: 1,
  CancellationPrepared: 1,
  CancellationRegistered: 1,
  CancellationRefused: 1,
  AmendmentRequested: 1,
  AmendmentPrepared: 1,
  AmendmentRegistered: 1,
  AmendmentRefused: 1,
});
