import type { SubmissionEvent } from './events.ts';
import { RESTORED } from './facts.ts';
import { doubtOf, isCalling, type Calling, type State } from './state.ts';

const error = {
  code: RESTORED,
  message: 'The system was restored from a backup: whether this was sent after that is found out first.',
};

/**
 * Whether a record that is whole may have been sent, and registered, since the backup was made: nothing of that is here. Until then nothing of it is in doubt.
 * @param restoredAt ISO 8601
 */
export function isLostSince(state: State, restoredAt: string): state is Calling {
  if (!isCalling(state) || state.open !== null || (state.lastAttemptAt ?? '') >= restoredAt) return false;
  switch (state.status) {
    case 'pending':
      return (state.link?.at ?? state.prepared.issued_at) < restoredAt;
    case 'unknown':
      return state.absent;
    case 'cancelling':
      return state.link !== null && state.link.at < restoredAt && state.doubt === 'none';
    case 'amending':
      return state.link !== null && state.link.at < restoredAt && !state.inDoubt;
    default:
      return state satisfies never;
  }
}

/** The doubt is that of an attempt without an answer, of which this store has not even the start. [] where there is none, or it is known. Times are ISO 8601. */
export function doubtAfterRestore({ restoredAt, at }: { restoredAt: string; at: string }, state: State): SubmissionEvent[] {
  if (!isLostSince(state, restoredAt)) return [];
  const delayed = state.status === 'pending' ? doubtOf(state) : null;
  const lost = { n: state.attemptCount + 1, verdict: 'unknown' as const, duration_ms: 0, http_status: null, response_sha256: null };
  const news = delayed && { ...delayed, status: 'unknown' as const, fixable: null };
  return [{ type: 'AttemptEnded', data: { ...lost, error, next_attempt_at: at, at, delayed, ...(news && { news }) } }];
}
