import { iso, millisOf, waitGoesOn } from '@svc/kernel';
import type { Authority } from './authority.ts';
import { atRest, failing } from './at-rest.ts';
import { attempt, giveUpAttempt, metadataOf, simulateOf, type Attempted, type Target } from './attempt.ts';
import { prepareAmendment } from './prepare-amendment.ts';
import { prepareCancellation } from './prepare-cancellation.ts';
import { prepareRecord } from './prepare-record.ts';
import type { Context } from './context.ts';
import { isLostSince } from './domain/after-restore.ts';
import { withAbsence } from './domain/end-attempt.ts';
import type { AttemptEnded } from './domain/outcome.ts';
import { nextStep, type Step } from './domain/next-step.ts';
import { MAX_STORED_ATTEMPTS, isCalling, isUnprepared, type Calling } from './domain/state.ts';
import { attemptBatch } from './attempt-batch.ts';
import { chainTurn } from './chain-turn.ts';
import { openingFirst } from './till-openings.ts';
import type { Permit } from './keyed-queues.ts';
import type { CircuitBreaker } from './circuit-breaker.ts';
import { sendableOf } from './sendable.ts';
import { ATTEMPT_MS, change, CLAIM_MS, type Row } from './row.ts';
import { submissionStream } from './submissions.ts';

/** Steps of one run. A submission needs few before it waits or is done; reaching the limit is a defect, and the row is postponed. */
const MOST_STEPS = 20;
const PUT_OFF_MS = 60_000;
/** How often to check a call that another process may still be making. */
const LOOK_AGAIN_MS = 1_000;

/** How often a document looks whether its till is open. */
const BEHIND_MS = 1_000;

/**
 * Runs the steps of one submission until it waits or is done, and writes into its row when it is due next. A step is in the stream before
 * it is in the row: a crash between the two costs one extra read. Returns the written time; null when none is left.
 */
export async function drive(
  context: Context,
  breaker: CircuitBreaker,
  taken: Row,
  permit: Permit,
  stopping: AbortSignal,
): Promise<number | null> {
  const { submissions, clock, rows, restoredAt } = context;
  const authority = authorityOf(context, taken);
  const { env, account, _id: document } = taken;
  const target: Target = { stream: submissionStream(env, account, document), env, account, authority };
  let row = taken;
  let interrupted = taken.calling === true;
  let absence: AttemptEnded | null = null;
  let isOvertaken = false;
  const settle = async (due_at: number | null, set: Partial<Row> = {}): Promise<number | null> => {
    await change(rows, row, { due_at, ...set, ...(row.calling ? { calling: false } : {}) });
    return due_at;
  };
  for (let step = 1; step <= MOST_STEPS; step += 1) {
    const now = clock.now();
    const { state } = await submissions.load(target.stream);
    if (restoredAt !== undefined && isLostSince(state, restoredAt)) {
      await submissions.handle(target.stream, () => ({ do: 'doubt', restoredAt, at: iso(now) }), metadataOf(target, state));
      continue;
    }
    const next = nextStep(withAbsence(state, absence), authority.needs, iso(now));
    if (isUnprepared(state) && next !== null && next.do !== 'call' && next.do !== 'wait' && next.do !== 'give_up_attempt') {
      const until = await prepareRecord(context, { ...target, metadata: metadataOf(target, state) }, state, next);
      if (until !== null) return settle(until);
      continue;
    }
    if ((state.status === 'cancelling' || state.status === 'amending') && next?.do === 'link') {
      const preparing = { ...target, metadata: metadataOf(target, state) };
      const until = await (state.status === 'cancelling'
        ? prepareCancellation(context, preparing, state)
        : prepareAmendment(context, preparing, state));
      if (until !== null) return settle(until);
      continue;
    }
    if (next === null || !isCalling(state) || next.do === 'link' || next.do === 'sign')
      return settle(null, atRest(context, target, state, row, now));
    if (next.do === 'give_up_attempt' && waitGoesOn(begunAt(state) + ATTEMPT_MS, now, ATTEMPT_MS)) {
      context.states.delete(target.stream);
      return settle(now + LOOK_AGAIN_MS);
    }
    if (interrupted) {
      interrupted = false;
      await giveUpAttempt(context, target, state, MAX_STORED_ATTEMPTS + row.beyond);
      continue;
    }
    if (next.do === 'wait') return settle(millisOf(next.until));
    if (next.do !== 'call') {
      await stepWithoutCall(context, target, state, next, absence);
      continue;
    }
    if (await rejectedWithoutCall(context, target, state)) continue;
    const turn = await chainTurn(context, target, { chain: row.lane, state, kind: next.kind, now });
    if (turn !== null) return settle(turn);
    if (next.kind === 'query' && authority.needs.settle > 0) {
      const settles = authority.needs.settle / context.timeScale;
      const settled = begunAt(state) + settles;
      if (waitGoesOn(settled, now, settles)) return settle(settled);
    }
    const kind = await openingFirst(state, next.kind, { openings: context.openings, tenant: `${env}.${account}`, now });
    if (kind === 'wait') return settle(now + BEHIND_MS / context.timeScale);
    if (stopping.aborted) return settle(now);
    if (isOvertaken) return settle(plannedAt(state) ?? now + LOOK_AGAIN_MS);
    const heldUntil = await context.clockHolds.until(target, breaker);
    if (heldUntil !== null) return settle(heldUntil);
    const admitted = breaker.admit(row, now);
    if (!admitted.go) return settle(admitted.until);
    let done: Attempted | undefined;
    try {
      const held = await hold(context, row, state.attemptCount, now);
      if (!held) return null;
      row = held.row;
      await permit.acquire();
      const { batch } = authority;
      const first = batch && held.beyond === null ? sendableOf(state, authority.needs, iso(now)) : undefined;
      done =
        batch && first
          ? await attemptBatch(context, target, { chain: row.lane, first, batch })
          : await attempt(context, target, state, kind, held.beyond === null ? null : { n: held.beyond, absence }, permit);
      // A simulated failure says nothing about the authority's health.
      const isScripted = simulateOf(target, state) !== undefined;
      if (done?.ofAll && !isScripted) await context.clockHolds.hold(target, breaker);
      else if (done && done.answered !== null && (done.answered || !isScripted)) breaker.record(row, done.answered, clock.now());
      if (done?.taken && !isScripted) await context.clockHolds.taken(target, breaker);
    } finally {
      breaker.release(row);
    }
    if (!done) {
      isOvertaken = true;
      continue;
    }
    absence = done.absence;
    if (done.waitUntil !== null) return settle(done.waitUntil, await failing(context, target, row));
  }
  return settle(clock.now() + PUT_OFF_MS);
}

/** Before when its last attempt has it wait, in milliseconds since 1970. */
function plannedAt({ attempts }: Pick<Calling, 'attempts'>): number | undefined {
  const next = attempts.at(-1)?.ended?.next_attempt_at;
  return next ? millisOf(next) : undefined;
}

/** When its last attempt began, in milliseconds since 1970; 0: there was none. */
const begunAt = ({ lastAttemptAt }: Pick<Calling, 'lastAttemptAt'>): number => (lastAttemptAt === null ? 0 : millisOf(lastAttemptAt));

/**
 * Claims the row for about the length of an attempt, where its claim has less time left, and counts an attempt beyond 200 in it (`beyond`: its number). When another worker has
 * changed the row: a stored attempt is made all the same, because the stream guards it; an unstored one is left to that worker (undefined).
 */
async function hold({ rows }: Context, row: Row, attempts: number, now: number): Promise<{ row: Row; beyond: number | null } | undefined> {
  const left = (row.due_at ?? 0) - now;
  if (attempts < MAX_STORED_ATTEMPTS) {
    if (left >= ATTEMPT_MS && left <= CLAIM_MS) return { row, beyond: null };
    return { row: (await change(rows, row, { due_at: now + CLAIM_MS })) ?? row, beyond: null };
  }
  const beyond = row.beyond + 1;
  const held = await change(rows, row, { beyond, calling: true, called_at: now, due_at: now + CLAIM_MS });
  return held && { row: held, beyond: MAX_STORED_ATTEMPTS + beyond };
}

/** Runs a step that makes no call. */
async function stepWithoutCall(
  context: Context,
  target: Target,
  state: Calling,
  step: Exclude<Step, { do: 'call' | 'wait' | 'link' | 'sign' }>,
  absence: AttemptEnded | null,
): Promise<void> {
  if (step.do === 'give_up_attempt') return giveUpAttempt(context, target, state, step.n);
  const at = iso(context.clock.now());
  await context.submissions.handle(target.stream, () => ({ do: 'expire', absence, at }), metadataOf(target, state));
}

/** Rejects a submission that the authority would certainly reject; true when that changed the stream. */
async function rejectedWithoutCall({ submissions, clock }: Context, target: Target, state: Calling): Promise<boolean> {
  const error = state.status === 'pending' ? target.authority.check(state) : null;
  if (!error) return false;
  const at = iso(clock.now());
  const { events } = await submissions.handle(target.stream, () => ({ do: 'refuse', error, at }), metadataOf(target, state));
  return events.length > 0;
}

function authorityOf({ authorities }: Context, { authority, env, _id }: Row): Authority {
  const found = authorities[env].get(authority);
  if (!found) throw new Error(`${_id} is ${env} and wants the authority ${authority}, to which this process has no connection`);
  return found;
}
