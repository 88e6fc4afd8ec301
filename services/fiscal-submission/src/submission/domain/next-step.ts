import type { AttemptKind, Result } from './facts.ts';
import type { Needs } from './needs.ts';
import type { State } from './state.ts';
import type { Env } from '@svc/kernel';

export type Step =
  /** The record, or its cancellation, takes its link of the chain. */
  | { do: 'link' }
  /** The issuer's key signs what the record states of itself. */
  | { do: 'sign' }
  | { do: 'call'; kind: AttemptKind }
  /** Its record states a time that this machine's clock has not reached (ISO 8601): it is not sent before. */
  | { do: 'wait'; until: string }
  /** The process of an attempt died during the call: its outcome is unknown. */
  | { do: 'give_up_attempt'; n: number }
  /** The authority's deadline has passed. */
  | { do: 'expire' };

/** Of a step that completes a record, or ends what cannot be completed in time. */
export type PreparingStep = Extract<Step, { do: 'link' | 'sign' | 'expire' }>;

/**
 * The next step of a submission, or null when none is left. A record is whole before the first call. After a doubt the authority is queried, where possible, before the same record
 * is sent again. A cancellation is idempotent and repeated without a query, unless it was refused after a doubt, or is a record of a chain. No record is sent before
 * the time that it states.
 * @param now ISO 8601
 */
export function nextStep(state: State, { query: canQuery, chain }: Pick<Needs, 'query' | 'chain'>, now: string): Step | null {
  switch (state.status) {
    case 'none':
    case 'needs_review':
    case 'rejected':
    case 'registered':
    case 'cancelled':
      return null;
    case 'opened':
      if (state.unprepared === null) return null;
      if (isPast(state.unprepared.deadline, now)) return { do: 'expire' };
      return { do: chain && state.link === null ? 'link' : 'sign' };
    case 'pending':
    case 'unknown': {
      if (state.open !== null) return { do: 'give_up_attempt', n: state.open };
      if (state.status === 'unknown' && canQuery && !state.absent) return { do: 'call', kind: 'query' };
      if (isPast(state.prepared.deadline, now)) return { do: 'expire' };
      return inTime(state.link?.at ?? state.prepared.issued_at, now, awaitsOpening(state) ? 'deposit' : 'submit');
    }
    case 'cancelling':
      if (state.open !== null) return { do: 'give_up_attempt', n: state.open };
      if (chain && state.prepared === null) return { do: 'link' };
      if (canQuery && (state.doubt === 'refused' || (chain && state.doubt === 'unknown'))) return { do: 'call', kind: 'query' };
      return inTime(state.link?.at, now, 'cancel');
    case 'amending':
      if (state.open !== null) return { do: 'give_up_attempt', n: state.open };
      if (state.prepared === null) return { do: 'link' };
      return state.inDoubt && canQuery ? { do: 'call', kind: 'query' } : inTime(state.link?.at, now, 'submit');
    default:
      return state satisfies never;
  }
}

/** Until its till is open. One in doubt, too: after a restore it is not known whether its till was opened, and that may be repeated. */
export const awaitsOpening = (state: State): boolean =>
  (state.status === 'pending' || state.status === 'unknown') && state.prepared.opening !== undefined && !state.tillOpened;

/**
 * The call, once the clock has reached what the record states: it may be behind the process that prepared it, or was set back since. An authority refuses times
 * that are ahead.
 */
const inTime = (of: string | undefined, now: string, kind: AttemptKind): Step =>
  of !== undefined && of > now ? { do: 'wait', until: of } : { do: 'call', kind };

const isPast = (deadline: string | null, now: string): boolean => deadline !== null && now > deadline;

const SECOND = 1_000;
const MINUTE = 60 * SECOND;

/** Waits between attempts without a response, in milliseconds; the last one repeats until the authority's deadline. */
const waits: Record<Env, readonly number[]> = {
  test: [SECOND, 2 * SECOND, 5 * SECOND, 10 * SECOND, 30 * SECOND],
  live: [5 * SECOND, 30 * SECOND, 2 * MINUTE, 10 * MINUTE, 30 * MINUTE, 60 * MINUTE],
};

/** The wait after the `failures`-th attempt in a row (1, 2, …) without a response, in milliseconds. */
export const waitAfter = (env: Env, failures: number): number => waits[env][Math.min(failures, waits[env].length) - 1] ?? 0;

/** The wait after a call that only a person's doing can make succeed, in milliseconds: repeated calls are what the authority does not want. */
const DAY = 24 * 60 * MINUTE;

/** The wait after the call with this result, which is the `failures`-th in a row that is put off, in milliseconds. */
export const waitFor = (env: Env, failures: number, result: Result): number =>
  result.kind === 'deferred' && result.byPerson ? DAY : waitAfter(env, failures);

/** The longest that an answer can have the next sending of a chain wait, in milliseconds: what asks for more is not believed. */
export const MAX_SENDING_WAIT_MS = 60 * MINUTE;

/** How often an authority with an open circuit breaker is tried, in milliseconds. */
export const PROBE_EVERY = 30 * SECOND;
