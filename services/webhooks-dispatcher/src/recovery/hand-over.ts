import { compareAndSet } from '@svc/document-store';
import { soon } from '@svc/kernel';
import type { WebhooksContext } from '../delivery/context.ts';
import { type Delivery, isInTurn, newDelivery } from '../delivery/delivery.ts';
import { behindUntil, type Chain } from '../delivery/in-turn.ts';
import { countMade } from '../delivery/stored-bytes.ts';
import type { Cursor, Tried } from '../endpoint/domain/recovery.ts';
import type { Endpoint } from '../endpoint/endpoint.ts';
import type { Recovery } from '../endpoint/recovery.ts';
import { isStored, type StoredEvent } from '../event/event.ts';
import { type Candidate, type Candidates, pageBehind } from './missing.ts';
import { isMissing } from './recover.ts';

/** Events of one page, of which a few are handed over. */
const LEAST_PAGE = 64;
/** Pages of one step: those behind the first are read, in full, where there is nothing to send before them. */
const PAGES = 4;
/** Attempts that a delivery keeps when it begins anew. */
const KEPT_ATTEMPTS = 20;

/** What a step has handed over. */
export interface HandedOver {
  /** Deliveries that are stored now, besides those in hand, the oldest first. */
  rows: Delivery[];
  /** The ids of those that it chose, of which another process may have stored some. */
  ids: string[];
  /** Where the next step goes on. */
  cursor: Cursor | undefined;
  /** More can be handed over at once. */
  goesOn: boolean;
  /** Behind it there is nothing. */
  isLast: boolean;
}

export const NOTHING: HandedOver = { rows: [], ids: [], cursor: undefined, goesOn: false, isLast: false };

/** In the order of the ids; some may be gone. */
async function rowsOf({ deliveries }: WebhooksContext, ids: readonly string[]): Promise<Delivery[]> {
  if (ids.length === 0) return [];
  const rows = new Map<string, Delivery>();
  for await (const row of deliveries.find({ _id: { $in: [...ids] } }, { limit: ids.length })) rows.set(row._id, row);
  return ids.flatMap((id) => rows.get(id) ?? []);
}

/** What waits for its first attempt, the oldest of each resource first, and what came of the others. */
export async function inHand(context: WebhooksContext, { in_hand: ids }: Recovery): Promise<{ waiting: Delivery[]; tried: Tried }> {
  const rows = await rowsOf(context, ids);
  const ended = rows.filter((row) => !isInTurn(row));
  const succeeded = ended.filter(({ status }) => status === 'succeeded').length;
  const cancelled = ended.filter(({ status }) => status === 'cancelled').length;
  return { waiting: rows.filter(isInTurn), tried: { succeeded, failed: ended.length - succeeded - cancelled } };
}

/** The deliveries in hand by resource. */
export function chainsOf(rows: readonly Delivery[]): Chain[] {
  const chains = new Map<string, Chain>();
  for (const row of rows) {
    const chain = chains.get(row.resource_id ?? '');
    if (chain) chain.push(row);
    else chains.set(row.resource_id ?? '', [row]);
  }
  return [...chains.values()];
}

/** Stores so many deliveries more, for `InTurn.take`: the oldest event of each resource of which nothing is in hand, then the next ones of all resources. */
export async function handOver(
  context: WebhooksContext,
  recovery: Recovery,
  endpoint: Endpoint,
  { waiting, free }: { waiting: readonly Delivery[]; free: number },
): Promise<HandedOver> {
  const { from, candidates, next } = await pageToSend(context, recovery, Math.max(LEAST_PAGE, 4 * free));
  const adopted = await adoptedOf(context, recovery, { waiting, candidates });
  const missing = candidates.filter((candidate) => isMissing(candidate, recovery.command));
  const busy = new Set([...waiting, ...adopted].map(({ resource_id = '' }) => resource_id));
  const chosen = chosenOf(missing, busy, free - adopted.length);
  const rows = await storeBehind(context, recovery, endpoint, chosen);
  const held = missing.find((candidate) => !chosen.includes(candidate));
  return {
    rows: [...adopted, ...rows],
    ids: chosen.map(({ delivery }) => delivery),
    cursor: held ? before(held, candidates, from) : next,
    goesOn: !held && next !== undefined,
    isLast: !held && next === undefined,
  };
}

/** The first page with something to send, or that a process has handed over: what is sent already is passed by, so that a repeat of a recovery ends soon. */
async function pageToSend(context: WebhooksContext, recovery: Recovery, limit: number): Promise<Candidates & { from: Cursor }> {
  const { command } = recovery;
  const isOurs = (one: Candidate): boolean => isMissing(one, command) || (one.status === 'pending' && one.recovery === command);
  let from: Cursor = recovery;
  let page = await pageBehind(context, recovery, recovery._id, { ...recovery, limit }, soon);
  for (let n = 1; n < PAGES && page.next && !page.candidates.some(isOurs); n += 1) {
    from = page.next;
    page = await pageBehind(context, recovery, recovery._id, { ...recovery, ...from }, soon);
  }
  return { ...page, from };
}

const before = (held: Candidate, candidates: readonly Candidate[], { at, after }: Cursor): Cursor => {
  const last = candidates[candidates.indexOf(held) - 1];
  return last ? { at: last.at, after: last.event } : { at, after };
};

/** Those that a process had handed over that died before it stored that. */
async function adoptedOf(
  context: WebhooksContext,
  { command }: Recovery,
  { waiting, candidates }: { waiting: readonly Delivery[]; candidates: readonly Candidate[] },
): Promise<Delivery[]> {
  const known = new Set(waiting.map(({ _id }) => _id));
  const unknown = candidates.filter(
    ({ status, recovery, delivery }) => status === 'pending' && recovery === command && !known.has(delivery),
  );
  const rows = await rowsOf(
    context,
    unknown.map(({ delivery }) => delivery),
  );
  return rows.filter(isInTurn);
}

/** In the order of the candidates. */
function chosenOf(missing: readonly Candidate[], busy: ReadonlySet<string>, free: number): Candidate[] {
  const begun = new Set(busy);
  const chosen = new Set<Candidate>();
  for (const candidate of missing) {
    if (chosen.size >= free) break;
    if (!begun.has(candidate.resource)) chosen.add(candidate);
    begun.add(candidate.resource);
  }
  for (const candidate of missing) if (chosen.size < free) chosen.add(candidate);
  return missing.filter((candidate) => chosen.has(candidate));
}

/** Stores the deliveries, after their events. What cannot be made, because its event is gone, is passed over; so is what another process has made meanwhile. */
async function storeBehind(
  context: WebhooksContext,
  { command }: Recovery,
  endpoint: Endpoint,
  chosen: readonly Candidate[],
): Promise<Delivery[]> {
  const { events, bodies, deliveries, stored: counted, clock } = context;
  const puts: StoredEvent[] = [];
  const rows: Delivery[] = [];
  const inserts: Delivery[] = [];
  for (const candidate of chosen) {
    if (candidate.status !== undefined) {
      rows.push(...(await restart(context, candidate, command)));
      continue;
    }
    const row = await events.get(candidate.event);
    const stored = row && (await bodies.withBody(row, soon));
    if (!row || !stored) continue;
    if (!isStored(row)) puts.push(stored);
    inserts.push({ ...newDelivery(stored, endpoint, behindUntil(clock.now())), recovery: command });
  }
  if (puts.length > 0) await events.write(puts.map((put) => ({ put })));
  const done = inserts.length > 0 ? await deliveries.write(inserts.map((insert) => ({ insert }))) : new Set<string>();
  const inserted = inserts.filter(({ _id }) => done.has(_id));
  countMade(counted, inserted);
  const made = new Map([...rows, ...inserted].map((row) => [row._id, row]));
  return chosen.flatMap(({ delivery }) => made.get(delivery) ?? []);
}

/** Makes a delivery that has ended without success pending again: its schedule begins anew. */
async function restart(
  { deliveries, clock }: WebhooksContext,
  { delivery: id, resource }: Candidate,
  command: string,
): Promise<Delivery[]> {
  const { doc, changed } = await compareAndSet(deliveries, id, {
    absent: () => undefined,
    change({ status, attempts: all }): Partial<Delivery> | undefined {
      if (status !== 'failed' && status !== 'cancelled') return undefined;
      const at = behindUntil(clock.now());
      const attempts = all.slice(-KEPT_ATTEMPTS);
      return {
        status: 'pending',
        due_at: at,
        next_at: at,
        recovery: command,
        attempts,
        attempts_before: attempts.length,
        resource_id: resource,
      };
    },
  });
  return doc && changed ? [doc] : [];
}
