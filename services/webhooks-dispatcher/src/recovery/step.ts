import { soon } from '@svc/kernel';
import type { WebhooksContext } from '../delivery/context.ts';
import { type Delivery, deliveryId, isClaimed, newDelivery } from '../delivery/delivery.ts';
import { mayReceive } from '../endpoint/domain/endpoint.ts';
import type { Endpoint } from '../endpoint/endpoint.ts';
import { isStored } from '../event/event.ts';
import { adjusted, mayHandOver, type Tried } from '../endpoint/domain/recovery.ts';
import { type Candidate, pageFrom } from './missing.ts';
import { countPage, isMissing } from './recover.ts';
import type { Recovery } from '../endpoint/recovery.ts';

/** Pages that are counted in one step. */
const PAGES = 4;
/** Deliveries that are cancelled in one step. */
const CANCELLED = 100;
/** How soon the outcomes of what is in hand are looked at. */
const LOOK_MS = 100;
const FIRST_LOOK_MS = 200;
const LAST_LOOK_MS = 60_000;

/** What is stored after a step: the next one is at `due_at`. */
type Next = Partial<Recovery> & Pick<Recovery, 'due_at'>;

/**
 * One step of a recovery: some milliseconds of work, that may be repeated. Deliveries are handed over as due ones, a few at a time, so that fresh events pass them; of a
 * resource the next one only when the one before has had its first attempt.
 */
export async function stepOf(context: WebhooksContext, recovery: Recovery, wake: () => void): Promise<Next> {
  const { endpoints, clock } = context;
  const now = clock.now();
  if (recovery.status === 'stopped') return { due_at: await cancelSome(context, recovery) };
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
  const free = mayHandOver(state, waiting.length, now);
  const ids = waiting.map(({ _id }) => _id);
  if (free === 0) return { ...change, in_hand: ids, due_at: now + Math.max(LOOK_MS, Math.min(1_000, pausedUntil - now)) };

  const { candidates, next } = await pageFrom(context, recovery, recovery._id, { ...recovery, from: recovery.at }, soon);
  const busy = new Set(waiting.map(({ resource_id = '' }) => resource_id));
  const chosen: Candidate[] = [];
  const adopted: string[] = [];
  let held: number | undefined;
  for (const candidate of candidates) {
    const { delivery, resource, status, recovery: mark, at } = candidate;
    // A process that died had handed it over.
    if (mark === recovery.command && status === 'pending' && !ids.includes(delivery) && adopted.length < window) adopted.push(delivery);
    if (!isMissing(candidate, recovery.command)) continue;
    if (chosen.length >= free || busy.has(resource)) held ??= at;
    else chosen.push(candidate);
    if (chosen.length >= free && held !== undefined) break;
    busy.add(resource);
  }
  await handOver(context, recovery, endpoint, chosen);
  if (chosen.length > 0) wake();
  const isLast = held === undefined && next === undefined;
  return {
    ...change,
    at: held ?? next ?? recovery.until + 1,
    in_hand: [...ids, ...adopted, ...chosen.map(({ delivery }) => delivery)],
    ...(isLast && { phase: 'ending', ending_since: now }),
    due_at: held === undefined && next !== undefined ? now : now + LOOK_MS,
  };
}

/** What waits for its first attempt, and what came of the others. */
async function inHand({ deliveries }: WebhooksContext, { in_hand: ids }: Recovery): Promise<{ waiting: Delivery[]; tried: Tried }> {
  const rows = ids.length === 0 ? [] : await Array.fromAsync(deliveries.find({ _id: { $in: ids } }, { limit: ids.length }));
  const waiting = rows.filter(({ status, attempts, attempts_before = 0 }) => status === 'pending' && attempts.length <= attempts_before);
  const ended = rows.filter((row) => !waiting.includes(row));
  const succeeded = ended.filter(({ status }) => status === 'succeeded').length;
  const cancelled = ended.filter(({ status }) => status === 'cancelled').length;
  return { waiting, tried: { succeeded, failed: ended.length - succeeded - cancelled } };
}

/** Stores the deliveries as due now, after their events. */
async function handOver(context: WebhooksContext, { command }: Recovery, endpoint: Endpoint, chosen: readonly Candidate[]): Promise<void> {
  const { events, bodies, deliveries, clock } = context;
  for (const { event, status } of chosen) {
    const row = await events.get(event);
    const stored = row && (await bodies.withBody(row, soon));
    if (!row || !stored) continue; // removed meanwhile
    if (!isStored(row)) await events.write([{ put: stored }]);
    const now = clock.now();
    if (status === undefined && (await deliveries.insert({ ...newDelivery(stored, endpoint, now), recovery: command }))) continue;
    await restart(context, deliveryId(event, endpoint._id), command);
  }
}

/** Makes a delivery that has ended without success pending again: its schedule begins anew. */
async function restart({ deliveries, clock }: WebhooksContext, id: string, command: string): Promise<void> {
  const row = await deliveries.get(id);
  if (!row || (row.status !== 'failed' && row.status !== 'cancelled')) return;
  const now = clock.now();
  const set: Partial<Delivery> = { status: 'pending', due_at: now, next_at: now, recovery: command, attempts_before: row.attempts.length };
  await deliveries.claim({ _id: id, version: row.version }, { set });
}

async function end({ deliveries, clock }: WebhooksContext, { command, ending_since: since }: Recovery): Promise<Next> {
  const of = (status: Delivery['status']): Promise<number> => deliveries.count({ recovery: command, status }, soon);
  const [delivered, failed, pending] = [await of('succeeded'), await of('failed'), await of('pending')];
  const now = clock.now();
  if (pending === 0) return { delivered, failed, in_hand: [], status: 'done', due_at: null };
  const pause = Math.min(LAST_LOOK_MS, Math.max(FIRST_LOOK_MS, (now - (since ?? now)) / 5));
  return { delivered, failed, in_hand: [], due_at: now + Math.ceil(pause) };
}

/** Cancels what no process has claimed: an attempt that is under way ends, and is recorded. Says when to go on; null: nothing is left. */
async function cancelSome({ deliveries, clock }: WebhooksContext, { command }: Recovery): Promise<number | null> {
  const pending = deliveries.find({ recovery: command, status: 'pending' }, { limit: CANCELLED });
  const now = clock.now();
  let [left, cancelled] = [0, 0];
  for await (const row of pending) {
    left += 1;
    if (isClaimed(row, now)) continue;
    const set: Partial<Delivery> = { status: 'cancelled', due_at: null, next_at: null };
    cancelled += (await deliveries.claim({ _id: row._id, version: row.version }, { set })).length;
  }
  if (left === 0) return null;
  return cancelled > 0 ? now : now + FIRST_LOOK_MS;
}
