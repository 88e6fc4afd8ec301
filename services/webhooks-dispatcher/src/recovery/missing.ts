import type { Filter, Sort } from '@svc/document-store';
import type { Turn } from '@svc/kernel';
import type { WebhooksContext } from '../delivery/context.ts';
import { deliveryId } from '../delivery/delivery.ts';
import type { Cursor, Wanted } from '../endpoint/domain/recovery.ts';
import type { Tenant } from '../event/event.ts';

/** Of a page; each look-up of it is a statement of some milliseconds. */
const PAGE = 500;

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
  /** By their times, those of one time by their ids. */
  candidates: Candidate[];
  /** Where the next page goes on; undefined: there is none. */
  next: Cursor | undefined;
}

/** A page of the wanted events behind a cursor, with what the endpoint has of each. Reads indexes alone, however many events have the same time. */
export async function pageBehind(
  { events, deliveries }: Pick<WebhooksContext, 'events' | 'deliveries'>,
  { account, env }: Tenant,
  endpoint: string,
  { until, types, at, after, limit = PAGE }: Pick<Wanted, 'until' | 'types'> & Cursor & { limit?: number },
  turn: Turn,
): Promise<Candidates> {
  const idsOf = async (filter: Filter, sort: Sort, most: number): Promise<string[]> => {
    const { docs, left } = await events.page({ account, env, ...filter }, { sort, limit: most }, 1);
    return [...docs.map(({ _id }) => _id), ...left];
  };
  const ids = await idsOf({ at, _id: { $gt: after } }, { _id: 1 }, limit);
  if (ids.length < limit) ids.push(...(await idsOf({ at: { $gt: at, $lte: until } }, { at: 1, _id: 1 }, limit - ids.length)));
  const rows = new Map((await events.indexed(ids, ['at', 'type', 'resource_id'])).map((row) => [row._id, row]));
  const found = ids.flatMap((id) => rows.get(id) ?? []); // some may have been removed meanwhile
  const last = found.at(-1);
  const next = ids.length < limit ? undefined : last ? { at: last.at, after: last._id } : { at, after };
  const wanted = found.flatMap((row) => (types.includes(row.type) ? [{ ...row, delivery: deliveryId(row._id, endpoint) }] : []));
  await turn(0);
  const known = new Map(
    (
      await deliveries.indexed(
        wanted.map(({ delivery }) => delivery),
        ['status', 'recovery'],
      )
    ).map((row) => [row._id, row]),
  );
  const candidates = wanted.map(({ _id, at: time, resource_id, delivery }): Candidate => {
    const row = known.get(delivery);
    return { event: _id, resource: resource_id, at: time, delivery, status: row?.status, recovery: row?.recovery ?? undefined };
  });
  return { candidates, next };
}
