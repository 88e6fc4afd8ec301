import type { SubmissionEvent } from './events.ts';
import { REFUSED_TOGETHER, RESTORED, type Ending, type Fixable } from './facts.ts';
import { amended } from './evolve-amendment.ts';
import { cancelling, historyOf, misplaced } from './history.ts';
import { failingAfter } from './failing.ts';
import {
  MAX_STORED_ATTEMPTS,
  isCalling,
  isOpenAttempt,
  type Attempt,
  type Calling,
  type Cancelling,
  type Pending,
  type Preparing,
  type Registered,
  type State,
  type Unknown,
} from './state.ts';

type Opened = Exclude<State, { status: 'none' }>;

/** Folds one event into the state. Throws when the event cannot follow: the stream is corrupt. */
export function evolve(state: State, event: SubmissionEvent): State {
  if (event.type === 'SubmissionOpened') return opened(state, event.data);
  if (state.status === 'none') throw misplaced(event, state);
  const history = historyOf(state);
  switch (event.type) {
    case 'RecordLinked':
      if (state.status !== 'opened') throw misplaced(event, state);
      return { ...state, link: { ...event.data.link, stream: state.unprepared?.chain?.stream ?? '' } };
    case 'PreparationHeld':
      if (state.status !== 'opened') throw misplaced(event, state);
      return withReported(state, event.data.error.code, event.data.fixable);
    case 'RecordPrepared': {
      if (state.status !== 'opened') throw misplaced(event, state);
      const { at: _at, round: _round, news: _news, ...prepared } = event.data;
      const { link, cancellation, reported } = state;
      const before = reported && { reported: { ...reported, code: null, fixable: null } };
      return {
        ...history,
        ...before,
        status: 'pending',
        prepared,
        link,
        open: null,
        failures: 0,
        failing: null,
        absences: 0,
        cancellation,
      };
    }
    case 'AttemptStarted': {
      if (!isCalling(state)) throw misplaced(event, state);
      const { n, at } = event.data;
      return { ...state, open: n, attempts: [...state.attempts, { ...event.data, ended: null }], attemptCount: n, lastAttemptAt: at };
    }
    case 'AttemptEnded': {
      const { delayed, news, opened: isOpened, ...ending } = event.data;
      if (isCalling(state) && !(state.open !== ending.n && isOpenAttempt(state.attempts, ending.n))) {
        const next = { ...attemptEnded(state, ending), ...(isOpened && { tillOpened: isOpened }) };
        if (!(delayed || news) || (next.status !== 'pending' && next.status !== 'unknown')) return next;
        return withReported(next, ending.error?.code ?? null, news?.fixable ?? null);
      }
      if (!isOpenAttempt(state.attempts, ending.n)) throw misplaced(event, state);
      return { ...state, attempts: withEnding(state.attempts, ending) }; // it was resolved by hand meanwhile
    }
    case 'SubmissionRegistered': {
      if (state.status !== 'pending' && state.status !== 'unknown' && state.status !== 'needs_review') throw misplaced(event, state);
      const { code, issuer_code, registered_at, verification_url, late, warnings, attempts } = event.data;
      const { sha256: record_sha256, reference } = state.prepared;
      const registration: Registered = {
        ...{ code, issuer_code, registered_at, verification_url, late, warnings, record_sha256 },
        ...(reference !== undefined && { reference }),
        ...(state.link && { chain: { stream: state.link.stream, position: state.link.position } }),
      };
      const registered = { ...history, attemptCount: attempts, registration };
      if (state.cancellation === null) return { ...registered, status: 'registered' };
      return { ...registered, ...cancelling(state.cancellation) };
    }
    case 'SubmissionRejected':
      return { ...history, status: 'rejected', attemptCount: event.data.attempts, error: event.data.error };
    case 'ReviewRequired': {
      if (state.status !== 'pending' && state.status !== 'unknown') throw misplaced(event, state);
      const { prepared, link, cancellation } = state;
      return {
        ...history,
        status: 'needs_review',
        attemptCount: event.data.attempts,
        prepared,
        link,
        cancellation,
        error: event.data.error,
      };
    }
    case 'DoubtResolved':
      return state;
    case 'CancellationRequested': {
      const { at: _at, ...cancellation } = event.data;
      return cancellationRequested({ ...state, cancellationsSeen: cancellation.sequence }, cancellation);
    }
    case 'CancellationPrepared': {
      if (state.status !== 'cancelling') throw misplaced(event, state);
      const { at: _at, cancellation: _cancellation, link, ...prepared } = event.data;
      return { ...state, prepared, link };
    }
    case 'CancellationRegistered': {
      if (state.status !== 'cancelling') throw misplaced(event, state);
      return {
        ...history,
        status: 'cancelled',
        attemptCount: event.data.attempts,
        registration: state.registration,
        cancelled_at: event.data.cancelled_at,
      };
    }
    case 'CancellationRefused': {
      if (state.status !== 'cancelling') throw misplaced(event, state);
      const registration: Registered = { ...state.registration, ...(state.prepared && { wasRefused: true as const }) };
      return { ...history, status: 'registered', attemptCount: event.data.attempts, registration };
    }
    case 'AmendmentRequested':
    case 'AmendmentPrepared':
    case 'AmendmentRegistered':
    case 'AmendmentRefused':
      return amended(state, event);
    default:
      return event satisfies never;
  }
}

function opened(state: State, { at: _at, unprepared, ...data }: Extract<SubmissionEvent, { type: 'SubmissionOpened' }>['data']): Preparing {
  const preparing = { status: 'opened' as const, unprepared: unprepared ?? null, link: null, cancellation: null };
  if (state.status === 'none') return { ...data, ...preparing, attempts: [], attemptCount: 0, lastAttemptAt: null, cancellationsSeen: 0 };
  const { attempts, attemptCount, lastAttemptAt, cancellationsSeen } = state;
  return { ...data, ...preparing, attempts, attemptCount, lastAttemptAt, cancellationsSeen };
}

function withReported<S extends Preparing | Pending | Unknown>(state: S, code: string | null, fixable: Fixable | null): S {
  const before = state.reported ?? { fixable: null, codeChanges: 0, fixableChanges: 0 };
  const counts =
    fixable === before.fixable
      ? { codeChanges: before.codeChanges + 1, fixableChanges: before.fixableChanges }
      : { codeChanges: before.codeChanges, fixableChanges: before.fixableChanges + 1 };
  return { ...state, reported: { code, fixable, ...counts } };
}

function attemptEnded(state: Calling, ending: Ending): State {
  const isPutOff = ending.verdict === 'deferred' || ending.verdict === 'unknown' || ending.next_attempt_at !== null;
  const failures = isPutOff && ending.error?.code !== REFUSED_TOGETHER ? state.failures + 1 : state.failures;
  const next = {
    ...state,
    open: null,
    failures,
    failing: failingAfter(state.failing, ending),
    absences: ending.verdict === 'absent' ? state.absences + 1 : state.absences,
    attemptCount: Math.max(state.attemptCount, ending.n),
    attempts: withEnding(state.attempts, ending),
  };
  if (next.status === 'cancelling') return { ...next, doubt: doubtAfter(next.doubt, ending.verdict) };
  if (next.status === 'amending')
    return { ...next, inDoubt: ending.verdict === 'unknown' || (next.inDoubt && ending.verdict !== 'absent') };
  const lost = isLostAfter(state, ending);
  if (next.status === 'unknown')
    return { ...next, lost, absent: ending.verdict === 'absent' || (next.absent && ending.verdict === 'deferred') };
  return ending.verdict === 'unknown' ? { ...next, status: 'unknown', absent: false, lost } : next;
}

/** The doubt after a restore is of no attempt that was started here. An absence says that nothing has come of what is lost. */
const isLostAfter = (state: Calling, { error, verdict }: Ending): boolean =>
  (state.open === null && error?.code === RESTORED) || (state.status === 'unknown' && state.lost === true && verdict !== 'absent');

function doubtAfter(doubt: Cancelling['doubt'], verdict: Ending['verdict']): Cancelling['doubt'] {
  if (verdict === 'absent') return 'none';
  if (verdict === 'unknown' && doubt === 'none') return 'unknown';
  return verdict === 'refused' && doubt === 'unknown' ? 'refused' : doubt;
}

function cancellationRequested(state: Opened, cancellation: Cancelling['cancellation']): State {
  switch (state.status) {
    case 'opened':
    case 'pending':
    case 'unknown':
    case 'needs_review':
    case 'amending':
      return { ...state, cancellation };
    case 'registered':
      return { ...state, ...cancelling(cancellation) };
    default:
      return state;
  }
}

const withEnding = (attempts: Attempt[], ending: Ending): Attempt[] =>
  ending.n > MAX_STORED_ATTEMPTS ? attempts : attempts.map((attempt) => (attempt.n === ending.n ? { ...attempt, ended: ending } : attempt));
