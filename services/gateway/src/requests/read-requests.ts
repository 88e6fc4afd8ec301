import type { RequestsQuery } from '@svc/contracts/request/query';
import type { RequestGroup } from '@svc/contracts/console/resources';
import type { Collection, Filter } from '@svc/document-store';
import { firstUidAt, isDay, millisOf } from '@svc/kernel';
import type { RefusedRequest } from './row.ts';

const DAY_MS = 86_400_000;
const MOST = 10_000;
const momentOf = (text: string): number => millisOf(isDay(text) ? `${text}T00:00:00.000Z` : text);

/** Found by the time in the ids of requests. */
export function requestsFilter(scope: string, { status, method, path, key_id, code, from, to }: Partial<RequestsQuery>): Filter {
  const after = from === undefined ? {} : { $gte: `req_${firstUidAt(momentOf(from))}` };
  const before = to === undefined ? {} : { $lt: `req_${firstUidAt(momentOf(to) + (isDay(to) ? DAY_MS : 1))}` };
  return {
    scope,
    ...(status && { status: { $in: status.map(Number) } }),
    ...(method && { method: { $in: method } }),
    ...(path !== undefined && { path }),
    ...(key_id !== undefined && { key_id }),
    ...(code && { code: { $in: code } }),
    ...((from ?? to) !== undefined && { _id: { ...after, ...before } }),
  };
}

export async function pageOfRequests(rows: Collection<RefusedRequest>, filter: Filter, page: number, size: number) {
  const found = await Array.fromAsync(rows.find(filter, { sort: { _id: -1 }, skip: (page - 1) * size, limit: size }));
  return { found, total: await rows.count(filter) };
}

/** By code, route and field, the one that came last first. */
export async function groupsOf(rows: Collection<RefusedRequest>, scope: string): Promise<RequestGroup[]> {
  const groups = new Map<string, RequestGroup>();
  for await (const { code, route, fields, at } of rows.find({ scope }, { sort: { _id: -1 }, limit: MOST }))
    for (const field of fields.length > 0 ? fields : [null]) {
      const key = JSON.stringify([code, route, field]);
      const group = groups.get(key) ?? { code, route, field, count: 0, last_at: at };
      group.count += 1;
      groups.set(key, group);
    }
  return [...groups.values()];
}
