import { soon } from '@svc/kernel';
import type { WebhooksContext } from '../delivery/context.ts';
import { type Delivery, isClaimed, isInTurn } from '../delivery/delivery.ts';
import { type InTurn, isBehind } from '../delivery/in-turn.ts';
import { mayReceive } from '../endpoint/domain/endpoint.ts';
import { adjusted, mayHandOver } from '../endpoint/domain/recovery.ts';
import type { Endpoint } from '../endpoint/endpoint.ts';
import type { Recovery } from '../endpoint/recovery.ts';
import { chainsOf, handOver, inHand, NOTHING } from './hand-over.ts';
import { countPage, madeOf } from './recover.ts';

/** Pages that are counted in one step. */
const PAGES = 4;
/** Deliveries that are cancelled in one step. */
const CANCELLED = 100;
/** How soon the outcomes of what is in hand are looked at. */
const LOOK_MS = 100;
const FIRST_LOOK_MS = 200;
const LAST_LOOK_MS = 300_000;

/** What is stored after a step: the next one is at `due_at`. */
type Next = Partial<Recovery> & Pick<Recovery, 'due_at'>;

/**
 * One step of a recovery: some milliseconds of work, that may be repeated. A few deliveries at a time are handed over, so that fresh events pass them; those of one
 * resource are sent one after the other, in any process.
 */
export async function stepOf(context: WebhooksContext, recovery: Recovery, inTurn: InTurn): Promise<Next> {
  const { endpoints, clock } = context;
  const now = clock.now();
  if (recovery.status === 'stopped') return stop(context, recovery);
  const endpoint = await endpoints.get(recovery._id);
  if (!endpoint || !mayReceive(endpoint)) return { status: 'stopped', due_at: now };
  if (recovery.phase === 'counting') return { ...(await countSome(context, recovery)), due_at: now };
  if (recovery.phase === 'sending') return send(context, recovery, endpoint, inTurn);
  return end(context, recovery, inTurn);
}

async function countSome(context: WebhooksContext, recovery: Recovery): Promise<Partial<Recovery>> {
  let state: Partial<Recovery> = {};
  for (let n = 0; n < PAGES && (state.phase ?? 'counting') === 'counting'; n += 1)
    state = { ...state, ...(await countPage(context, recovery._id, { ...recovery, ...state }, soon)) };
  return state;
}

async function send(context: WebhooksContext, recovery: Recovery, endpoint: Endpoint, inTurn: InTurn): Promise<Next> {
  const { clock } = context;
  const { waiting, tried } = await inHand(context, recovery);
  const now = clock.now();
  const state = { ...recovery, ...adjusted(recovery, tried, now) };
  const { delivered, window, pausedUntil, pauseMs } = state;
  const may = (rows: readonly Delivery[]): number => mayHandOver(state, { waiting: rows.length, now, perSecond: endpoint.rate_per_second });
  const more = may(waiting) === 0 ? NOTHING : await handOver(context, recovery, endpoint, { waiting, free: may(waiting) });
  const all = [...waiting, ...more.rows];
  if (now >= pausedUntil) await inTurn.take(endpoint._id, chainsOf(all), may(all.filter((row) => !isBehind(row, now))));
  const isLast = more.isLast && !all.some((row) => isBehind(row, now));
  return {
    ...{ delivered, window, pausedUntil, pauseMs },
    ...more.cursor,
    in_hand: [...new Set([...all.map(({ _id }) => _id), ...more.ids])],
    ...(isLast && { phase: 'ending', ending_since: now }),
    due_at: more.goesOn ? now : now + Math.max(LOOK_MS, Math.min(1_000, pausedUntil - now)),
  };
}

/** Where some were cancelled, by a disabling that has ended since, it is stopped: it has not sent all. */
async function end({ deliveries, clock }: WebhooksContext, { _id, command, ending_since: since }: Recovery, inTurn: InTurn): Promise<Next> {
  const one = (status: Delivery['status']): Promise<Delivery[]> =>
    Array.fromAsync(deliveries.find({ recovery: command, status }, { limit: 1 }));
  const [pending, cancelled] = [await one('pending'), await one('cancelled')];
  const now = clock.now();
  const pause = Math.min(LAST_LOOK_MS, Math.max(FIRST_LOOK_MS, (now - (since ?? now)) / 5));
  const counts = await countsOf(deliveries, command);
  // One that was sent by hand while the last step looked may wait still.
  await inTurn.take(_id, chainsOf(pending.filter(isInTurn)), 1);
  if (pending.length > 0) return { ...counts, due_at: now + Math.ceil(pause) };
  return { ...counts, created: await madeOf(deliveries, command, soon), status: cancelled.length > 0 ? 'stopped' : 'done', due_at: null };
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
  if (left === 0) return { ...(await countsOf(deliveries, command)), created: await madeOf(deliveries, command, soon), due_at: null };
  return { due_at: cancelled > 0 ? now : now + FIRST_LOOK_MS };
}
