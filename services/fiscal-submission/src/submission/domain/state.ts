import type { Cancellation, Ending, AuthorityError, Opened, PreparedRecord, Registration, Started } from './facts.ts';

/** A call, as `/attempts` shows it; without `ended` it is under way, or was when its process died. */
export interface Attempt extends Started {
  ended: Ending | null;
}

interface Submission extends Opened {
  /** The first 200; the rest is counted alone. */
  attempts: Attempt[];
  attemptCount: number;
  lastAttemptAt: string | null;
  /** Highest `sequence` of a cancellation wished for. */
  cancellationsSeen: number;
}

interface Asking {
  /** Number of the attempt that was started and has not ended. */
  open: number | null;
  /** Attempts since the last change that got no answer: the place in the retry schedule. */
  failures: number;
}

/** Not asked yet, or certainly not processed. */
export interface Pending extends Submission, Asking {
  status: 'pending';
  prepared: PreparedRecord;
  cancellation: Cancellation | null;
}

/** Asked, and no answer that can be trusted: it may be registered. */
export interface Unknown extends Submission, Asking {
  status: 'unknown';
  prepared: PreparedRecord;
  cancellation: Cancellation | null;
  /** The authority said since that it does not know the document. */
  absent: boolean;
}

export interface Cancelling extends Submission, Asking {
  status: 'cancelling';
  registration: Registration;
  cancellation: Cancellation;
  /**
   * `unknown`: a call got no answer that can be trusted, so it may be cancelled already. `refused`: a later call was refused, which can
   * mean just that.
   */
  doubt: 'none' | 'unknown' | 'refused';
}

/** Something is left to ask of the authority. */
export type Calling = Pending | Unknown | Cancelling;

export type State =
  | { status: 'none' }
  | (Submission & { status: 'opened' })
  | Pending
  | Unknown
  | (Submission & { status: 'needs_review'; prepared: PreparedRecord; cancellation: Cancellation | null; error: AuthorityError })
  | (Submission & { status: 'rejected'; error: AuthorityError })
  | (Submission & { status: 'registered'; registration: Registration })
  | Cancelling
  | (Submission & { status: 'cancelled'; registration: Registration; cancelled_at: string });

export const initialState: State = { status: 'none' };

/** Attempts beyond this are counted, not stored: a long outage must not make an endless stream. */
export const MAX_STORED_ATTEMPTS = 200;

export const isCalling = (state: State): state is Calling =>
  state.status === 'pending' || state.status === 'unknown' || state.status === 'cancelling';
