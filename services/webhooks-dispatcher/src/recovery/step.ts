import { compareAndSet } from '@svc/document-store';
import { soon } from '@svc/kernel';
import type { WebhooksContext } from '../delivery/context.ts';
import { type Delivery, isClaimed, newDelivery } from '../delivery/delivery.ts';
import { mayReceive } from '../endpoint/domain/endpoint.ts';
import type { Endpoint } from '../endpoint/endpoint.ts';
import { isStored, type StoredEvent } from '../event/event.ts';
import { adjusted, type Cursor, mayHandOver, type Tried } from '../endpoint/domain/recovery.ts';
import { type Candidate, pageBehind } from './missing.ts';
import { countPage, isMissing } from './recover.ts';
import type { Recovery } from '../endpoint/recovery.ts';

/** Pages that are counted in one step. */
const PAGES = 4;
/** Deliveries that are cancelled in one step. */
const CANCELLED = 100;
/** Events of one step, of which a few are handed over. */
const LEAST_PAGE = 64;
/** How soon the outcomes of what is in hand are looked at. */
const LOOK_MS = 100;
const FIRST_LOOK_MS = 200;
const LAST_LOOK_MS = 300_000;

/** What is stored after a step: the next one is at `due_at`. */
type Next = Partial<Recovery> & Pick<Recovery, 'due_at'>;

/**
 * One step of a recovery: some milliseconds of work, that may be repeated. Deliveries are handed over as due ones, a few at a time, so that fresh events pass them; of a
 * resource the next one only when the one before has had its first attempt.
 */
export async function stepOf(context: WebhooksContext, recovery: Recovery, wake: () => void): Promise<Next> {
  const { endpoints, clock } = context;
  const now = clock.now();
  if (recovery.status === 'stopped') return stop(context, recovery);
  const endpoint = await endpoints.get(recovery._id);
  if (!endpoint || !mayReceive(endpoint)) return { status: 'stopped', due_at: now };
  if (recovery.phase === 'counting') return { ...(await countSome(context, recovery)), due_at: now };
  if (recovery.phase === 'sending') return send(context, recovery, endpoint, wake);
  return end(context, recovery);
}

async function countSome(context: WebhooksContext, recovery: Recovery): Promise<Partial<Recovery>> {
  let state: Partial<Recovery> = {};
  for (let n = 0; n < PAGES && (state.phase ?? 'counting') === 'counting'; n += 1)
    state = { ...state, ...(await countPage(context, recovery._id, { ...recovery, ...state }, soon)) };
  return state;
}

async function send(context: WebhooksContext, recovery: Recovery, endpoint: Endpoint, wake: () => void): Promise<Next> {
  const { clock } = context;
  const { waiting, tried } = await inHand(context, recovery);
  const now = clock.now();
  const state = { ...recovery, ...adjusted(recovery, tried, now) };
  const { delivered, window, pausedUntil, pauseMs } = state;
  const change = { delivered, window, pausedUntil, pauseMs };
  const free = mayHandOver(state, { waiting: waiting.length, now, perSecond: endpoint.rate_per_second });
  const ids = waiting.map(({ _id }) => _id);
  if (free === 0) return { ...change, in_hand: ids, due_at: now + Math.max(LOOK_MS, Math.min(1_000, pausedUntil - now)) };

  const page = { ...recovery, limit: Math.max(LEAST_PAGE, 4 * free) };
  const { candidates, next } = await pageBehind(context, recovery, recovery._id, page, soon);
  // Those that a process had handed over that died before it stored that.
  const unknown = candidates.filter(
    ({ status, recovery: mark, delivery }) => status === 'pending' && mark === recovery.command && !ids.includes(delivery),
  );
  const adopted = (
    await rowsOf(
      context,
      unknown.map(({ delivery }) => delivery),
    )
  ).filter(isWaiting);
  const busy = new Set([...waiting, ...adopted].map(({ resource_id = '' }) => resource_id));
  const chosen: Candidate[] = [];
  let held: Cursor | undefined;
  let before: Cursor = { at: recovery.at, after: recovery.after };
  for (const candidate of candidates) {
    if (isMissing(candidate, recovery.command)) {
      const isFree = chosen.length + adopted.length < free && !busy.has(candidate.resource);
      busy.add(candidate.resource);
      if (isFree) chosen.push(candidate);
      else held ??= before;
    }
    before = { at: candidate.at, after: candidate.event };
  }
  await handOver(context, recovery, endpoint, chosen);
  if (chosen.length > 0) wake();
  const isLast = held === undefined && next === undefined;
  return {
    ...change,
    ...(held ?? next),
    in_hand: [...ids, ...adopted.map(({ _id }) => _id), ...chosen.map(({ delivery }) => delivery)],
    ...(isLast && { phase: 'ending', ending_since: now }),
    due_at: held === undefined && next !== undefined ? now : now + LOOK_MS,
  };
}

const rowsOf = ({ deliveries }: WebhooksContext, ids: readonly string[]): Promise<Delivery[]> =>
  ids.length === 0 ? Promise.resolve([]) : Array.fromAsync(deliveries.find({ _id: { $in: [...ids] } }, { limit: ids.length }));

/** Since the recovery has made it, or made it pending again, no attempt has ended. */
const isWaiting = ({ status, attempts, attempts_before = 0 }: Delivery): boolean =>
  status === 'pending' && attempts.length <= attempts_before;

/** What waits for its first attempt, and what came of the others. */
async function inHand(context: WebhooksContext, { in_hand: ids }: Recovery): Promise<{ waiting: Delivery[]; tried: Tried }> {
  const rows = await rowsOf(context, ids);
  const ended = rows.filter((row) => !isWaiting(row));
  const succeeded = ended.filter(({ status }) => status === 'succeeded').length;
  const cancelled = ended.filter(({ status }) => status === 'cancelled').length;
  return { waiting: rows.filter(isWaiting), tried: { succeeded, failed: ended.length - succeeded - cancelled } };
}

/** Stores the deliveries as due now, after their events. What cannot be made, because its event is gone, is passed over. */
async function handOver(context: WebhooksContext, { command }: Recovery, endpoint: Endpoint, chosen: readonly Candidate[]): Promise<void> {
  const { events, bodies, deliveries, clock } = context;
  const puts: StoredEvent[] = [];
  const inserts: Delivery[] = [];
  for (const { event, status, delivery } of chosen) {
    if (status !== undefined) {
      await restart(context, delivery, command);
      continue;
    }
    const row = await events.get(event);
    const stored = row && (await bodies.withBody(row, soon));
    if (!row || !stored) continue;
    if (!isStored(row)) puts.push(stored);
    inserts.push({ ...newDelivery(stored, endpoint, clock.now()), recovery: command });
  }
  if (puts.length > 0) await events.write(puts.map((put) => ({ put })));
  if (inserts.length > 0) await deliveries.write(inserts.map((insert) => ({ insert })));
}

/** Attempts that a delivery keeps when it begins anew. */
const KEPT_ATTEMPTS = 20;

/** Makes a delivery that has ended without success pending again: its schedule begins anew. */
async function restart({ deliveries, clock }: WebhooksContext, id: string, command: string): Promise<void> {
  await compareAndSet(deliveries, id, {
    absent: () => undefined,
    change({ status, attempts: all }): Partial<Delivery> | undefined {
      if (status !== 'failed' && status !== 'cancelled') return undefined;
      const now = clock.now();
      const attempts = all.slice(-KEPT_ATTEMPTS);
      return { status: 'pending', due_at: now, next_at: now, recovery: command, attempts, attempts_before: attempts.length };
    },
  });
}

/** Where some were cancelled, by a disabling that has ended since, it is stopped: it has not sent all. */
async function end({ deliveries, clock }: WebhooksContext, { command, ending_since: since }: Recovery): Promise<Next> {
  const one = (status: Delivery['status']): Promise<Delivery[]> =>
    Array.fromAsync(deliveries.find({ recovery: command, status }, { limit: 1 }));
  const [pending, cancelled] = [await one('pending'), await one('cancelled')];
  const now = clock.now();
  const pause = Math.min(LAST_LOOK_MS, Math.max(FIRST_LOOK_MS, (now - (since ?? now)) / 5));
  const counts = await countsOf(deliveries, command);
  if (pending.length > 0) return { ...counts, due_at: now + Math.ceil(pause) };
  return { ...counts, status: cancelled.length > 0 ? 'stopped' : 'done', due_at: null };
}

async function countsOf(deliveries: WebhooksContext['deliveries'], command: string): Promise<Partial<Recovery>> {
  const of = (status: Delivery['status']): Promise<number> => deliveries.count({ recovery: command, status }, soon);
  return { delivered: await of('succeeded'), failed: await of('failed'), in_hand: [] };
}

/** Cancels what no process has claimed: an attempt that is under way ends, and is recorded. What came of all of them is counted when nothing is left. */
async function stop({ deliveries, clock }: WebhooksContext, { command }: Recovery): Promise<Next> {
  const pending = deliveries.find({ recovery: command, status: 'pending' }, { limit: CANCELLED });
  const now = clock.now();
  let [left, cancelled] = [0, 0];
  for await (const row of pending) {
    left += 1;
    if (isClaimed(row, now)) continue;
    const set: Partial<Delivery> = { status: 'cancelled', due_at: null, next_at: null };
    cancelled += (await deliveries.claim({ _id: row._id, version: row.version }, { set })).length;
  }
  if (left === 0) return { ...(await countsOf(deliveries, command)), due_at: null };
  return { due_at: cancelled > 0 ? now : now + FIRST_LOOK_MS };
}
