import { decide, type Command } from '../decide.ts';
import type { AttemptFacts } from '../outcome.ts';
import type { SubmissionEvent } from '../events.ts';
import { evolve } from '../evolve.ts';
import type { AttemptKind, Result } from '../facts.ts';
import { nextStep } from '../next-step.ts';
import { initialState, type State } from '../state.ts';

/** Commands of one submission and results of its calls, for the specs of the decider. */

export const AT = '2026-03-01T10:00:00.000Z';
export const LATER = '2026-03-01T10:00:05.000Z';

const opened = (round = 1) => ({
  document_id: 'inv_1',
  kind: 'invoice' as const,
  round,
  authority: 'sandbox',
  number: 'INV-2026-000001',
  issuer_tax_id: 'L1',
  simulate: null,
  traceparent: null,
});
const prepared = (deadline: string | null = null) => ({
  record: '{"document_number":"INV-2026-000001"}',
  sha256: 'aa',
  issuer_code: 'IC',
  verification_url: 'http://check',
  issued_at: AT,
  late_after: '2026-03-03T10:00:00.000Z',
  deadline,
});

export const open = (round = 1, deadline: string | null = null): Command => ({
  do: 'open',
  opened: opened(round),
  prepared: prepared(deadline),
  at: AT,
});
/** Of the next attempt, whichever that is. */
const NEXT = 0;
export const start = (kind: AttemptKind, round = 1): Command => ({
  do: 'start_attempt',
  ...{ n: NEXT, round },
  kind,
  message_id: 'm',
  request_sha256: 'bb',
  at: AT,
});
export const end = (n: number, result: Result, over: Partial<AttemptFacts> = {}): Command => ({
  do: 'end_attempt',
  n,
  kind: 'submit',
  can_query: true,
  absence: null,
  result,
  duration_ms: 7,
  http_status: 200,
  response_sha256: 'cc',
  next_attempt_at: null,
  at: LATER,
  ...over,
});
export const cancel = (sequence: number): Command => ({
  do: 'cancel',
  cancellation: { sequence, reason: 'entered twice', simulate: null },
  at: AT,
});

export const resolve = (outcome: 'registered' | 'not_registered'): Command => ({
  do: 'resolve',
  resolution:
    outcome === 'registered' ? { outcome, code: 'BY-HAND', note: 'seen in the portal' } : { outcome, note: 'the portal does not know it' },
  at: LATER,
});

export const registered: Result = { kind: 'registered', code: 'FIC', registered_at: LATER, warnings: [] };
export const unknown: Result = { kind: 'unknown', error: { code: 'no_answer', message: 'm' } };
export const deferred: Result = { kind: 'deferred', error: { code: 'unavailable', message: 'm' } };
export const absent: Result = { kind: 'absent' };
export const rejected: Result = { kind: 'rejected', error: { code: 'E1', message: 'm', fixable: 'data' } };
export const foreign: Result = { kind: 'foreign', error: { code: 'duplicate_foreign', message: 'm', fixable: 'setup' } };
export const cancelled: Result = { kind: 'cancelled', cancelled_at: LATER };
export const refused: Result = { kind: 'refused', error: { code: 'E2', message: 'm' } };

export function after(...commands: Command[]): State {
  return commands.reduce<State>((state, command) => then(state, command).reduce(evolve, state), initialState);
}
export function then(state: State, command: Command): SubmissionEvent[] {
  const isOfNext = command.do === 'start_attempt' && command.n === NEXT;
  return decide(isOfNext ? { ...command, n: 'attemptCount' in state ? state.attemptCount + 1 : 1 } : command, state);
}
export const types = (events: SubmissionEvent[]): string[] => events.map(({ type }) => type);
export const next = (state: State, canQuery = true, now = AT) => nextStep(state, { query: canQuery, chain: false }, now);

export const tried = (kind: AttemptKind, n: number, result: Result, can_query = true): Command[] => [
  start(kind),
  end(n, result, { kind, can_query }),
];
export const inDoubt = [open(), ...tried('submit', 1, unknown)];
export const done = [open(), ...tried('submit', 1, registered)];
