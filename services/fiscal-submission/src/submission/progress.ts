import type { Progress, ProgressOf } from '@svc/contracts/document/progress';
import type { DocumentStore } from '@svc/document-store';
import type { EventStore } from '@svc/event-store';
import { type Env, iso } from '@svc/kernel';
import { isCalling, MAX_STORED_ATTEMPTS, type Known } from './domain/state.ts';
import { rowIndexes, type Row } from './row.ts';
import { readSubmission } from './submissions.ts';

/** For documents in the same process: how far a submission is; undefined where nothing was submitted. */
export function submissionProgress({
  eventStore,
  documents,
}: {
  eventStore: EventStore;
  documents: DocumentStore;
}): ProgressOf<{ account: string; env: Env; id: string }> {
  const rows = documents.collection<Row>('submissions', { indexes: rowIndexes });
  return async ({ account, env, id }) => {
    const [state, row] = await Promise.all([readSubmission(eventStore, env, account, id), rows.get(id)]);
    return state.status === 'none' ? undefined : progressOf(state, row);
  };
}

/** Attempts beyond the stored ones are counted in the row alone, which says when they are due. */
export function progressOf(state: Known, row: Row | undefined): Progress {
  const beyond = row?.beyond ?? 0;
  const attempts = Math.max(state.attemptCount, beyond > 0 ? MAX_STORED_ATTEMPTS + beyond : 0);
  const isUnderWay = !isCalling(state) || state.open !== null || row?.calling === true;
  const planned = state.attempts.at(-1)?.ended?.next_attempt_at ?? null;
  const due = row?.due_at === undefined || row.due_at === null ? null : iso(row.due_at);
  const next = attempts > 0 && due !== null && (planned === null || due > planned) ? due : planned;
  const last_attempt_at = row?.called_at === undefined ? state.lastAttemptAt : iso(row.called_at);
  return { attempts, last_attempt_at, next_attempt_at: isUnderWay ? null : next };
}
