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
  /** The process of an attempt died during the call: its outcome is unknown. */
  | { do: 'give_up_attempt'; n: number }
  /** The authority's deadline has passed. */
  | { do: 'expire' };

/** Of a step that completes a record, or ends what cannot be completed in time. */
export type PreparingStep = Extract<Step, { do: 'link' | 'sign' | 'expire' }>;

/**
 * The next step of a submission, or null when none is left. A record is whole before the first call. After a doubt the authority is queried, where possible, before the same record
 * is sent again. A cancellation is idempotent and repeated without a query, unless it was refused after a doubt, or is a record of a chain.
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
      return { do: 'call', kind: awaitsOpening(state) ? 'deposit' : 'submit' };
    }
    case 'cancelling':
      if (state.open !== null) return { do: 'give_up_attempt', n: state.open };
      if (chain && state.prepared === null) return { do: 'link' };
      return { do: 'call', kind: canQuery && (state.doubt === 'refused' || (chain && state.doubt === 'unknown')) ? 'query' : 'cancel' };
    case 'amending':
      if (state.open !== null) return { do: 'give_up_attempt', n: state.open };
      if (state.prepared === null) return { do: 'link' };
      return { do: 'call', kind: state.inDoubt && canQuery ? 'query' : 'submit' };
    default:
      return state satisfies never;
  }
}

/** Before its first send, and until its till is open. */
export const awaitsOpening = (state: State): boolean =>
  state.status === 'pending' && state.prepared.opening !== undefined && !state.tillOpened;

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
