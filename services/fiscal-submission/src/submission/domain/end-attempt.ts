import type { AttemptFacts } from './decide.ts';
import type { SubmissionEvent, Told } from './events.ts';
import type { Result } from './facts.ts';
import { isCalling, MAX_STORED_ATTEMPTS, type Calling, type Pending, type State, type Unknown } from './state.ts';
import { doubtOf } from './told.ts';

type Ended = { result: Result } & AttemptFacts;

/** The end of an attempt and what follows from it, in one append. */
export function endAttempt(ended: Ended, state: State): SubmissionEvent[] {
  if (!isCalling(state)) return [];
  const isStored = state.open === ended.n;
  const isBeyond = state.open === null && ended.n > MAX_STORED_ATTEMPTS;
  if (!isStored && !isBeyond) return [];
  const outcome = outcomeOf(ended, state);
  const becomesUnknown = state.status === 'pending' && ended.result.verdict === 'unknown';
  if (isBeyond && !becomesUnknown) return outcome;
  const { n, duration_ms, http_status, response_sha256, next_attempt_at, at, result } = ended;
  const error = 'error' in result ? { code: result.error.code, message: result.error.message } : null;
  const delayed = becomesUnknown ? doubtOf(state) : null;
  return [
    {
      type: 'AttemptEnded',
      data: { n, verdict: result.verdict, duration_ms, http_status, error, response_sha256, next_attempt_at, at, delayed },
    },
    ...outcome,
  ];
}

function outcomeOf({ result, n, at }: Ended, state: Calling): SubmissionEvent[] {
  const startedAt = state.open === n ? state.lastAttemptAt : null;
  const told: Told = { ...doubtOf(state), attempts: n, last_attempt_at: startedAt ?? at, at };
  switch (result.verdict) {
    case 'deferred':
    case 'unknown':
    case 'absent':
      return [];
    case 'cancelled': {
      if (state.status !== 'cancelling') return [];
      const { cancelled_at } = result;
      return [{ type: 'CancellationRegistered', data: { cancelled_at, cancellation: state.cancellation.sequence, ...told } }];
    }
    case 'refused': {
      if (state.status !== 'cancelling') return [];
      return [{ type: 'CancellationRefused', data: { error: result.error, cancellation: state.cancellation.sequence, ...told } }];
    }
    case 'registered':
      return state.status === 'cancelling' ? [] : [{ type: 'SubmissionRegistered', data: { ...registered(result, state), ...told } }];
    case 'rejected':
      return state.status === 'cancelling' ? [] : [{ type: 'SubmissionRejected', data: { error: result.error, ...told } }];
    case 'foreign':
      return state.status === 'cancelling' ? [] : [{ type: 'ReviewRequired', data: { error: result.error, ...told } }];
    default:
      return result satisfies never;
  }
}

function registered({ code, registered_at, warnings }: Extract<Result, { verdict: 'registered' }>, { prepared }: Pending | Unknown) {
  const { issuer_code, verification_url, late_after } = prepared;
  return { code, issuer_code, registered_at, verification_url, late: registered_at > late_after, warnings };
}
