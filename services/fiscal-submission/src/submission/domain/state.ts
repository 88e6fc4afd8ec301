import type { ChainLink } from '../../chain/domain/link.ts';
import type {
  AuthorityError,
  Cancellation,
  Ending,
  Fixable,
  Opened,
  PreparedRecord,
  Registration,
  SentRecord,
  Started,
  Unprepared,
  Doubt,
} from './facts.ts';
import type { OutcomeFacts } from './events.ts';
import type { Failing } from './failing.ts';

/** A registration with the hash of what was sent for it: an authority's answer about another record is not about it. */
export interface Registered extends Registration {
  record_sha256: string;
  /** Of what was sent. */
  reference?: string;
  /** Where its record stands; absent: the authority has no chain. */
  chain?: { stream: string; position: number };
  /** A cancellation was refused. */
  wasRefused?: true;
  /** Corrections of its record that were requested. */
  amendments?: number;
  /** The last of them was refused. */
  amendmentRefused?: true;
}

/** A call, as `/attempts` shows it. Without `ended` it is under way, or its process died. */
export interface Attempt extends Started {
  ended: Ending | null;
}

interface Submission extends Opened {
  /** The first 200; later ones are only counted. */
  attempts: Attempt[];
  attemptCount: number;
  lastAttemptAt: string | null;
  /** Highest `sequence` of the cancellation requests seen. */
  cancellationsSeen: number;
}

interface Asking {
  /** Number of the attempt that has started and not ended. */
  open: number | null;
  /** Attempts in a row without a response: the position in the retry schedule. */
  failures: number;
  /** null: the last answer was another one. */
  failing: Failing | null;
  /** Doubts that the authority has ended by an absence. */
  absences: number;
}

/** The error that the document shows of this round, and how often its code and what has to be fixed have changed. */
export interface Reported {
  code: string | null;
  fixable: Fixable | null;
  codeChanges: number;
  fixableChanges: number;
}

/** A link with the stream of its chain. */
export interface StreamLink extends ChainLink {
  stream: string;
}

/** Its record still lacks a link or a signature. */
export interface Preparing extends Submission {
  status: 'opened';
  /** null: the record or a rejection follows in the same append. */
  unprepared: Unprepared | null;
  link: StreamLink | null;
  reported?: Reported;
  cancellation: Cancellation | null;
}

/** Not sent yet, or certainly not processed. */
export interface Pending extends Submission, Asking {
  reported?: Reported;
  status: 'pending';
  prepared: PreparedRecord;
  /** The opening of its till is registered. */
  tillOpened?: true;
  /** null: the authority has no chain. */
  link: StreamLink | null;
  cancellation: Cancellation | null;
}

/** Sent without a response that can be trusted: it may be registered. */
export interface Unknown extends Submission, Asking {
  reported?: Reported;
  status: 'unknown';
  prepared: PreparedRecord;
  /** As of a pending one. */
  tillOpened?: true;
  link: StreamLink | null;
  cancellation: Cancellation | null;
  /** The authority has reported since that it does not know the document. */
  absent: boolean;
  /** It may have been sent since the backup from which the store was restored: `attempts` have nothing of that. */
  lost?: boolean;
}

export interface Cancelling extends Submission, Asking {
  status: 'cancelling';
  registration: Registered;
  cancellation: Cancellation;
  /** Its own record and link, where cancellations are records of the chain; null: it is not prepared. */
  prepared: SentRecord | null;
  link: ChainLink | null;
  /**
   * `unknown`: a call had no response that can be trusted, so it may be cancelled already. `refused`: a later call was refused, perhaps for
   * that reason.
   */
  doubt: 'none' | 'unknown' | 'refused';
}

/** Its record was registered and found wrong: another one replaces it. */
export interface Amending extends Submission, Asking {
  status: 'amending';
  registration: Registered;
  /** `n` counts from 1. `draft`, `seen`: as of an unprepared record. */
  amendment: { n: number; draft: string; seen: string };
  /** null: it is not prepared. */
  prepared: SentRecord | null;
  link: ChainLink | null;
  /** It may be registered already. */
  inDoubt: boolean;
  cancellation: Cancellation | null;
}

/** A submission with calls left to make. */
export type Calling = Pending | Unknown | Cancelling | Amending;

export type State =
  | { status: 'none' }
  | Preparing
  | Pending
  | Unknown
  | (Submission & {
      status: 'needs_review';
      prepared: PreparedRecord;
      link: StreamLink | null;
      cancellation: Cancellation | null;
      error: AuthorityError;
    })
  | (Submission & { status: 'rejected'; error: AuthorityError })
  | (Submission & { status: 'registered'; registration: Registered })
  | Cancelling
  | Amending
  | (Submission & { status: 'cancelled'; registration: Registered; cancelled_at: string });

/** A submission that was opened. */
export type Known = Exclude<State, { status: 'none' }>;

export const initialState: State = { status: 'none' };

/** Attempts beyond this are counted but not stored, so that a long outage does not make an endless stream. */
export const MAX_STORED_ATTEMPTS = 200;

export const isUnprepared = (state: State): state is Preparing & { unprepared: Unprepared } =>
  state.status === 'opened' && state.unprepared !== null;

export const isCalling = (state: State): state is Calling =>
  state.status === 'pending' || state.status === 'unknown' || state.status === 'cancelling' || state.status === 'amending';

/** The attempt started, and how it ended is not stored. */
export const isOpenAttempt = (attempts: readonly Attempt[], n: number): boolean =>
  attempts.some((attempt) => attempt.n === n && attempt.ended === null);

type Tried = Pick<Exclude<State, { status: 'none' }>, 'attemptCount' | 'lastAttemptAt'>;

export const doubtOf = ({ document_id, kind, round, authority }: Opened): Doubt => ({ document_id, kind, round, authority });

/** The common fields of an outcome at `at` (ISO 8601). */
export const outcomeAt = (state: Opened & Tried, at: string): OutcomeFacts => ({
  ...doubtOf(state),
  attempts: state.attemptCount,
  last_attempt_at: state.lastAttemptAt ?? at,
  at,
});
