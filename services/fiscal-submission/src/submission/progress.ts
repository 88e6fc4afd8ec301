import type { Progress, ProgressOf } from '@svc/contracts/document/progress';
import type { DocumentStore } from '@svc/document-store';
import type { EventStore } from '@svc/event-store';
import { type Env, type Ids, iso, StateCache } from '@svc/kernel';
import type { Context } from './context.ts';
import { isCalling, MAX_STORED_ATTEMPTS, type State } from './domain/state.ts';
import { rowIndexes, type Row } from './row.ts';
import { submissionStream } from './streams.ts';
import { createSubmissions } from './submissions.ts';

interface Document {
  account: string;
  env: Env;
  id: string;
}

/** For documents in the same process: how far a submission is. */
export function submissionProgress({
  eventStore,
  documents,
  ids,
}: {
  eventStore: EventStore;
  documents: DocumentStore;
  ids: Ids;
}): ProgressOf<Document> {
  const rows = documents.collection<Row>('submissions', { indexes: rowIndexes });
  const context = { submissions: createSubmissions(eventStore, ids, new StateCache<State>()), rows };
  return (document) => progressOf(context, document);
}

/** How far a submission is, by its document; undefined where nothing was submitted. */
export async function progressOf(
  { submissions, rows }: Pick<Context, 'submissions' | 'rows'>,
  { account, env, id }: Document,
): Promise<Progress | undefined> {
  const [{ state }, row] = await Promise.all([submissions.load(submissionStream(env, account, id)), rows.get(id)]);
  return state.status === 'none' ? undefined : progress(state, row);
}

/** Attempts beyond the stored ones are counted in the row alone, which says when they are due. */
function progress(state: Exclude<State, { status: 'none' }>, row: Row | undefined): Progress {
  const beyond = row?.beyond ?? 0;
  const attempts = Math.max(state.attemptCount, beyond > 0 ? MAX_STORED_ATTEMPTS + beyond : 0);
  const isUnderWay = !isCalling(state) || state.open !== null || row?.calling === true;
  const planned = state.attempts.at(-1)?.ended?.next_attempt_at ?? null;
  const due = row?.due_at === undefined || row.due_at === null ? null : iso(row.due_at);
  const next = attempts > 0 && due !== null && (planned === null || due > planned) ? due : planned;
  const last_attempt_at = row?.called_at === undefined ? state.lastAttemptAt : iso(row.called_at);
  return { attempts, last_attempt_at, next_attempt_at: isUnderWay ? null : next };
}
