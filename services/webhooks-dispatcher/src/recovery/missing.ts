import type { Filter } from '@svc/document-store';
import type { Turn } from '@svc/kernel';
import type { WebhooksContext } from '../delivery/context.ts';
import { deliveryId } from '../delivery/delivery.ts';
import type { Wanted } from '../endpoint/domain/recovery.ts';

/** Of a page; each look-up of it is a statement of some milliseconds. */
const PAGE = 500;
/** Of one millisecond. */
const MOST_AT_ONCE = 10_000;

interface Tenant {
  account: string;
  env: 'live' | 'test';
}

/** An event and the state of its delivery to the endpoint; undefined: there is none. */
export interface Candidate {
  event: string;
  resource: string;
  at: number;
  delivery: string;
  status: string | undefined;
  recovery: string | undefined;
}

export interface Candidates {
  /** In the order of their times. */
  candidates: Candidate[];
  /** The time from which the next page goes on: behind all of them; undefined: there is none. */
  next: number | undefined;
}

/** A page of the wanted events from a time on, with what the endpoint has of each. Reads indexes alone. */
export async function pageFrom(
  { events, deliveries }: Pick<WebhooksContext, 'events' | 'deliveries'>,
  { account, env }: Tenant,
  endpoint: string,
  { until, types, from, limit = PAGE }: Pick<Wanted, 'until' | 'types'> & { from: number; limit?: number },
  turn: Turn,
): Promise<Candidates> {
  const idsOf = async (at: Filter[string], most: number): Promise<string[]> => {
    const { docs, left } = await events.page({ account, env, at }, { sort: { at: 1 }, limit: most }, 1);
    return [...docs.map(({ _id }) => _id), ...left];
  };
  const ids = await idsOf({ $gte: from, $lte: until }, limit);
  const isFull = ids.length === limit;
  let found = await events.indexed(ids, ['at', 'type', 'resource_id']);
  if (isFull && found.length === 0) return { candidates: [], next: from }; // all of them were removed meanwhile
  let next = isFull ? Math.max(...found.map(({ at }) => at)) : undefined;
  if (next === from) {
    // Many events of one millisecond: all of them, so that the next page begins behind it.
    found = await events.indexed(await idsOf(from, MOST_AT_ONCE), ['at', 'type', 'resource_id']);
    next = from + 1;
  }
  const isOnPage = ({ at, type }: (typeof found)[number]): boolean => types.includes(type) && at < (next ?? Infinity);
  const wanted = found.filter(isOnPage).sort((a, b) => a.at - b.at || (a._id < b._id ? -1 : 1));
  await turn(0);
  const known = new Map(
    (
      await deliveries.indexed(
        wanted.map(({ _id }) => deliveryId(_id, endpoint)),
        ['status', 'recovery'],
      )
    ).map((row) => [row._id, row]),
  );
  const candidates = wanted.map(({ _id, at, resource_id }): Candidate => {
    const delivery = deliveryId(_id, endpoint);
    const row = known.get(delivery);
    return { event: _id, resource: resource_id, at, delivery, status: row?.status, recovery: row?.recovery ?? undefined };
  });
  return { candidates, next };
}
