import type { SubmissionEvent } from './events.ts';
import { cancelling, historyOf, misplaced } from './history.ts';
import type { Amending, Known, Registered, State } from './state.ts';

type Amendment = Extract<SubmissionEvent, { type: `Amendment${string}` }>;

/** Folds an event of an amendment. Throws where it cannot follow. */
export function amended(state: Known, event: Amendment): State {
  const history = historyOf(state);
  if (event.type === 'AmendmentRequested') {
    if (state.status !== 'registered') throw misplaced(event, state);
    const { amendment: n, draft, seen } = event.data;
    const asking = { open: null, failures: 0, failing: null, absences: 0 };
    const amending = { status: 'amending' as const, amendment: { n, draft, seen }, prepared: null, link: null, inDoubt: false };
    return { ...history, ...amending, registration: { ...state.registration, amendments: n }, ...asking, cancellation: null };
  }
  if (state.status !== 'amending') throw misplaced(event, state);
  if (event.type === 'AmendmentPrepared') {
    const { at: _at, amendment: _amendment, link, ...prepared } = event.data;
    return { ...state, prepared, link };
  }
  const known = { ...history, attemptCount: event.data.attempts, registration: registrationAfter(state, event) };
  return state.cancellation === null ? { ...known, status: 'registered' } : { ...known, ...cancelling(state.cancellation) };
}

/** Its code stays that of the first registration: documents have shown it. */
function registrationAfter(
  { registration, prepared, link }: Amending,
  { type, data }: Extract<Amendment, { data: { attempts: number } }>,
): Registered {
  const { amendmentRefused: _refused, ...before } = registration;
  if (type === 'AmendmentRefused' || !prepared || !link) return { ...before, amendmentRefused: true };
  const { sha256: record_sha256, reference } = prepared;
  const chain = before.chain && { ...before.chain, position: link.position };
  return { ...before, warnings: data.warnings, record_sha256, ...(reference !== undefined && { reference }), ...(chain && { chain }) };
}
