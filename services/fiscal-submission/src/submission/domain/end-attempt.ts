import type { SubmissionEvent } from './events.ts';
import { evolve } from './evolve.ts';
import { INTERRUPTED, REFUSED_TOGETHER, type Fixable, type Result } from './facts.ts';
import { outcomeOf, type AttemptEnded, type EndedCall } from './outcome.ts';
import { isCalling, MAX_STORED_ATTEMPTS, isOpenAttempt, type Calling, type Known, type Reported, type State, doubtOf } from './state.ts';

/**
 * The end of an attempt and its outcome, in one append. Beyond 200 attempts the end is stored only when it adds doubt, is news or has an outcome. An
 * absence is not stored: the next call may bring the doubt back, and so on without end.
 */
export function endAttempt(ended: EndedCall, state: State): SubmissionEvent[] {
  if (state.status === 'none') return [];
  if (isLate(ended, state)) return [endOf(ended, state)];
  if (!isCalling(state)) return [];
  if (state.open === ended.n) {
    const outcome = outcomeOf(ended, state);
    return [outcome.length === 0 ? withNews(ended, state) : endOf(ended, state), ...outcome];
  }
  if (!isBeyond(ended, state)) return [];
  const known = withAbsence(state, ended.absence);
  const outcome = outcomeOf(ended, known);
  const end = endOf(ended, known);
  if (outcome.length > 0) return [...eventsOf(ended.absence), ...(changesKnowledge(end, known) ? [end] : []), ...outcome];
  const stored = withNews(ended, state);
  return ended.result.kind !== 'absent' && (changesKnowledge(end, state) || stored.data.news) ? [stored] : [];
}

/** Whether the call had no result that allows another step: the same call is repeated after a wait. */
export function isPutOff(ended: EndedCall, state: Calling): boolean {
  if (outcomeOf(ended, withAbsence(state, ended.absence)).length > 0) return false;
  const leadsOn = ended.result.kind === 'absent' || ended.result.kind === 'refused' || ended.kind === 'deposit';
  return !leadsOn || !changesKnowledge(endOf(ended, state), state);
}

/** The end of an attempt that reports an absence which `endAttempt` does not store; else null. */
export function unstoredAbsence(ended: EndedCall, state: Calling): AttemptEnded | null {
  const end = endOf(ended, state);
  return ended.result.kind === 'absent' && isBeyond(ended, state) && changesKnowledge(end, state) ? end : null;
}

/** The state with an unstored absence applied. The absence is valid until the next call and only in this process. */
export const withAbsence = <S extends State>(state: S, absence: AttemptEnded | null): S =>
  absence && isCalling(state) ? (evolve(state, absence) as S) : state;

/** The absence as an event, stored before the outcome that depends on it. */
export const eventsOf = (absence: AttemptEnded | null): AttemptEnded[] => (absence ? [absence] : []);

/** The submission was resolved by hand while the call was under way. */
const isLate = ({ n }: EndedCall, state: Known): boolean => !(isCalling(state) && state.open === n) && isOpenAttempt(state.attempts, n);

const isBeyond = ({ n }: EndedCall, { open }: Calling): boolean => open === null && n > MAX_STORED_ATTEMPTS;

function endOf(ended: EndedCall, state: Known): AttemptEnded {
  const { n, duration_ms, http_status, response_sha256, next_attempt_at, at, result } = ended;
  const error = 'error' in result ? { code: result.error.code, message: result.error.message } : null;
  const delayed = state.status === 'pending' && result.kind === 'unknown' ? doubtOf(state) : null;
  return {
    type: 'AttemptEnded',
    data: {
      ...{ n, verdict: result.kind, duration_ms, http_status, error, response_sha256, next_attempt_at, at, delayed },
      ...(ended.kind === 'deposit' && result.kind === 'registered' && { opened: true as const }),
    },
  };
}

/**
 * Changes of the code that are published in one round, and as many of what has to be fixed: each is an entry in the document's history. Codes that
 * alternate do not use up what is left for a rejection of credentials.
 */
const MOST_NEWS = 20;

/** The end of an attempt without an outcome; it has news where the status, the error or what has to be fixed differs from what the document shows. */
function withNews(ended: EndedCall, state: Known): AttemptEnded {
  const end = endOf(ended, state);
  const { error } = end.data;
  if (error === null || (state.status !== 'pending' && state.status !== 'unknown')) return end;
  const fixable = fixableOf(ended.result);
  if (!end.data.delayed && !isNews(state.reported, { code: error.code, fixable })) return end;
  const status = end.data.delayed ? ('unknown' as const) : state.status;
  return { ...end, data: { ...end.data, news: { ...doubtOf(state), status, fixable } } };
}

function fixableOf(result: Result): Fixable | null {
  if (result.kind === 'rejected' || result.kind === 'foreign') return result.error.fixable;
  return result.kind === 'deferred' ? (result.fixable ?? null) : null;
}

/** An interrupted call says nothing about the authority, and one refused for another record nothing about this one: they would hide what has to be fixed. */
export function isNews(reported: Reported | undefined, { code, fixable }: Pick<Reported, 'code' | 'fixable'>): boolean {
  if (code === INTERRUPTED || code === REFUSED_TOGETHER) return false;
  if (fixable !== (reported?.fixable ?? null)) return (reported?.fixableChanges ?? 0) < MOST_NEWS;
  return code !== reported?.code && (reported?.codeChanges ?? 0) < MOST_NEWS;
}

/** Whether the end changes what is known about the registration or cancellation. */
const changesKnowledge = (end: AttemptEnded, state: Calling): boolean => knowledge(evolve(state, end)) !== knowledge(state);

function knowledge(state: State): string {
  if (state.status === 'cancelling') return state.doubt;
  if (state.status === 'amending') return state.inDoubt ? 'unknown' : 'none';
  const status = state.status === 'unknown' && state.absent ? 'absent' : state.status;
  return (state.status === 'pending' || state.status === 'unknown') && state.tillOpened ? `${status}, till opened` : status;
}
