import type { AttemptKind } from './facts.ts';
import type { State } from './state.ts';

export type Step =
  | { do: 'call'; kind: AttemptKind }
  /** The process of an attempt died during the call: its outcome is unknown. */
  | { do: 'give_up_attempt'; n: number }
  /** The authority's deadline has passed. */
  | { do: 'expire' };

/**
 * The next step of a submission, or null when none is left. After a doubt the authority is queried, where possible, before the same record
 * is sent again. A cancellation is idempotent and repeated without a query, unless it was refused after a doubt.
 * @param now ISO 8601
 */
export function nextStep(state: State, canQuery: boolean, now: string): Step | null {
  switch (state.status) {
    case 'none':
    case 'opened':
    case 'needs_review':
    case 'rejected':
    case 'registered':
    case 'cancelled':
      return null;
    case 'pending':
    case 'unknown': {
      if (state.open !== null) return { do: 'give_up_attempt', n: state.open };
      if (state.status === 'unknown' && canQuery && !state.absent) return { do: 'call', kind: 'query' };
      if (state.prepared.deadline !== null && now > state.prepared.deadline) return { do: 'expire' };
      return { do: 'call', kind: 'submit' };
    }
    case 'cancelling':
      if (state.open !== null) return { do: 'give_up_attempt', n: state.open };
      return { do: 'call', kind: state.doubt === 'refused' && canQuery ? 'query' : 'cancel' };
    default:
      return state satisfies never;
  }
}
