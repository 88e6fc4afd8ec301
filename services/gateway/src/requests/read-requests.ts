import type { PageQuery } from '@svc/contracts/http/page';
import type { RequestsQuery } from '@svc/contracts/request/query';
import type { RequestGroup } from '@svc/contracts/console/resources';
import type { Collection, Filter } from '@svc/document-store';
import { madeBetween } from '../made-between.ts';
import type { RefusedRequest } from './row.ts';

const MOST = 10_000;

/** Found by the time in the ids of requests. */
export function requestsFilter(scope: string, { status, method, path, key_id, code, from, to }: Partial<RequestsQuery>): Filter {
  return {
    scope,
    ...(status && { status: { $in: status.map(Number) } }),
    ...(method && { method: { $in: method } }),
    ...(path !== undefined && { path }),
    ...(key_id !== undefined && { key_id }),
    ...(code && { code: { $in: code } }),
    ...madeBetween({ from, to }, 'req_'),
  };
}

/** What rows of a group have in common. `field`: `none` where no field was named; undefined: any. */
export interface Group {
  route?: string | undefined;
  field?: string | undefined;
}

/** A page of those of a group: its rows among the newest that fit the filter, as `groupsOf` counts them. */
export async function pageOfGroup(rows: Collection<RefusedRequest>, filter: Filter, group: Group, { page, per_page }: PageQuery) {
  const found: RefusedRequest[] = [];
  let total = 0;
  for await (const row of rows.find(filter, { sort: { _id: -1 }, limit: MOST })) {
    if (!isOf(row, group)) continue;
    if (total >= (page - 1) * per_page && found.length < per_page) found.push(row);
    total += 1;
  }
  return { found, total };
}

const isOf = ({ route, fields }: RefusedRequest, { route: asked = route, field }: Group): boolean =>
  route === asked && (field === undefined || (field === 'none' ? fields.length === 0 : fields.includes(field)));

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
