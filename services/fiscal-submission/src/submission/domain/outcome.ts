import type { OutcomeFacts } from './events.ts';
import type { Doubt, Opened } from './facts.ts';
import type { State } from './state.ts';

type Tried = Pick<Exclude<State, { status: 'none' }>, 'attemptCount' | 'lastAttemptAt'>;

export const doubtOf = ({ document_id, kind, round, authority }: Opened): Doubt => ({ document_id, kind, round, authority });

/** The common fields of an outcome at `at` (ISO 8601). */
export const outcomeAt = (state: Opened & Tried, at: string): OutcomeFacts => ({
  ...doubtOf(state),
  attempts: state.attemptCount,
  last_attempt_at: state.lastAttemptAt ?? at,
  at,
});
