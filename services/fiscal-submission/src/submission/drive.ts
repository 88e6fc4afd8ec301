import { iso } from '@svc/kernel';
import type { Authority } from '../authorities/authority.ts';
import { attempt, giveUpAttempt, metadataOf, simulateOf, type Attempted, type Target } from './attempt.ts';
import type { Context } from './context.ts';
import { withAbsence, type AttemptEnded } from './domain/end-attempt.ts';
import { nextStep, type Step } from './domain/next-step.ts';
import { MAX_STORED_ATTEMPTS, isCalling, type Calling } from './domain/state.ts';
import type { Permit } from './keyed-queues.ts';
import type { CircuitBreaker } from './circuit-breaker.ts';
import { change, CLAIM_MS, type Row } from './row.ts';
import { submissionStream } from './streams.ts';

/** A submission needs few steps before it waits or is done; more than this in one go is a defect, and it is put off. */
const MOST_STEPS = 20;
const PUT_OFF_MS = 60_000;
/** A call may last 10 s: a row that would come back sooner is held for longer first. */
const NEEDED_MS = 12_000;
/** How often a call is looked at that another process may still be making. */
const LOOK_AGAIN_MS = 1_000;

/**
 * Works on one submission until it waits or nothing is left to do, and writes into its row when it is due next. What it did is in the
 * stream before it is in the row: a crash between the two costs one look. Answers that time; null when none was written.
 */
export async function drive(
  context: Context,
  breaker: CircuitBreaker,
  taken: Row,
  permit: Permit,
  stopping: AbortSignal,
): Promise<number | null> {
  const { submissions, clock, rows } = context;
  const authority = authorityOf(context, taken);
  const { env, account, _id: document } = taken;
  const target: Target = { stream: submissionStream(env, account, document), env, account, authority };
  let row = taken;
  let interrupted = taken.calling === true;
  let absence: AttemptEnded | null = null;
  const settle = async (due_at: number | null): Promise<number | null> => {
    await change(rows, row, row.calling ? { due_at, calling: false } : { due_at });
    return due_at;
  };

  for (let step = 1; step <= MOST_STEPS; step += 1) {
    const now = clock.now();
    const { state } = await submissions.load(target.stream);
    const next = nextStep(withAbsence(state, absence), authority.query !== undefined, iso(now));
    if (next === null || !isCalling(state)) return settle(null);
    if (next.do === 'give_up_attempt' && (state.lastAttemptAt ?? '') > iso(now - NEEDED_MS)) {
      context.states.delete(target.stream);
      return settle(now + LOOK_AGAIN_MS);
    }
    if (interrupted) {
      interrupted = false;
      await giveUpAttempt(context, target, state, MAX_STORED_ATTEMPTS + row.beyond);
      continue;
    }
    if (next.do !== 'call') {
      await stepWithoutCall(context, target, state, next, absence);
      continue;
    }
    if (await rejectedWithoutCall(context, target, state)) continue;
    if (stopping.aborted) return settle(now);
    const admitted = breaker.admit(document, now);
    if (!admitted.go) return settle(admitted.until);
    let done: Attempted | undefined;
    try {
      const held = await hold(context, row, state.attemptCount, now);
      if (!held) return null;
      row = held.row;
      await permit.acquire();
      done = await attempt(context, target, state, next.kind, held.beyond === null ? null : { n: held.beyond, absence }, permit);
      // Silence that a test document asks for says nothing of how the authority is for others.
      const isScripted = simulateOf(target, state) !== undefined;
      if (done && (done.answered || !isScripted)) breaker.record(document, done.answered, clock.now());
    } finally {
      breaker.release(document);
    }
    if (!done) continue;
    absence = done.absence;
    if (done.waitUntil !== null) return settle(done.waitUntil);
  }
  return settle(clock.now() + PUT_OFF_MS);
}

/**
 * Keeps the row for about as long as a call may last, and counts the attempt in it when that is no longer done in the stream (`beyond`:
 * its number). When somebody else has changed the row, a call that the stream guards is made all the same, the row only spares work;
 * one that the row alone tells of is left to him: undefined.
 */
async function hold({ rows }: Context, row: Row, attempts: number, now: number): Promise<{ row: Row; beyond: number | null } | undefined> {
  const left = (row.due_at ?? 0) - now;
  if (attempts < MAX_STORED_ATTEMPTS) {
    if (left >= NEEDED_MS && left <= CLAIM_MS) return { row, beyond: null };
    return { row: (await change(rows, row, { due_at: now + CLAIM_MS })) ?? row, beyond: null };
  }
  const beyond = row.beyond + 1;
  const held = await change(rows, row, { beyond, calling: true, due_at: now + CLAIM_MS });
  return held && { row: held, beyond: MAX_STORED_ATTEMPTS + beyond };
}

/** What is done without a call. */
async function stepWithoutCall(
  context: Context,
  target: Target,
  state: Calling,
  step: Exclude<Step, { do: 'call' }>,
  absence: AttemptEnded | null,
): Promise<void> {
  if (step.do === 'give_up_attempt') return giveUpAttempt(context, target, state, step.n);
  const at = iso(context.clock.now());
  await context.submissions.handle(target.stream, () => ({ do: 'expire', absence, at }), metadataOf(target, state));
}

/** Rejects a submission that the authority would refuse for certain; true when that changed anything. */
async function rejectedWithoutCall({ submissions, clock }: Context, target: Target, state: Calling): Promise<boolean> {
  const error = state.status === 'pending' ? target.authority.validateCredentials(state) : null;
  if (!error) return false;
  const at = iso(clock.now());
  const { events } = await submissions.handle(target.stream, () => ({ do: 'refuse', error, at }), metadataOf(target, state));
  return events.length > 0;
}

function authorityOf({ authorities }: Context, { authority, _id }: Row): Authority {
  const found = authorities.get(authority);
  if (!found) throw new Error(`${_id} wants the authority ${authority}, which this release does not know`);
  return found;
}
