import type { PageQuery } from '@svc/contracts/http/page';
import type { RequestsQuery } from '@svc/contracts/request/query';
import type { RequestGroup } from '@svc/contracts/console/resources';
import type { Collection, Condition, Filter, Scalar } from '@svc/document-store';
import type { Turn } from '@svc/kernel';
import { PIECE } from '@svc/service';
import { madeBetween } from '../made-between.ts';
import type { RefusedRequest } from './row.ts';

/** Rows that are looked through, and those of one read. */
const [MOST, AT_ONCE] = [10_000, 200];
const MOST_GROUPS = 1_000;

type Rows = Pick<Collection<RefusedRequest>, 'page'>;

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
export async function pageOfGroup(rows: Rows, filter: Filter, group: Group, { page, per_page }: PageQuery, turn: Turn) {
  const found: RefusedRequest[] = [];
  let total = 0;
  for await (const row of newestOf(rows, filter, turn)) {
    if (!isOf(row, group)) continue;
    if (total >= (page - 1) * per_page && found.length < per_page) found.push(row);
    total += 1;
  }
  return { found, total };
}

const isOf = ({ route, fields }: RefusedRequest, { route: asked = route, field }: Group): boolean =>
  route === asked && (field === undefined || (field === 'none' ? fields.length === 0 : fields.includes(field)));

/** By code, route and field, the one that came last first. Of more than a thousand the others are not counted. */
export async function groupsOf(rows: Rows, scope: string, turn: Turn): Promise<RequestGroup[]> {
  const groups = new Map<string, RequestGroup>();
  for await (const { code, route, fields, at } of newestOf(rows, { scope }, turn))
    for (const field of fields.length > 0 ? fields : [null]) {
      const key = JSON.stringify([code, route, field]);
      const group = groups.get(key);
      if (group) group.count += 1;
      else if (groups.size < MOST_GROUPS) groups.set(key, { code, route, field, count: 1, last_at: at });
    }
  return [...groups.values()];
}

/** The newest rows that match, the last one first, read in pieces that await their turn. */
async function* newestOf(rows: Rows, filter: Filter, turn: Turn): AsyncGenerator<RefusedRequest> {
  const within = (filter['_id'] ?? {}) as Exclude<Condition, Scalar>;
  let last: string | undefined;
  for (let read = 0; read < MOST;) {
    await turn(PIECE);
    const before = last === undefined ? filter : { ...filter, _id: { ...within, $lt: last } };
    const { docs, left } = await rows.page(before, { sort: { _id: -1 }, limit: Math.min(AT_ONCE, MOST - read), turn }, PIECE);
    yield* docs;
    read += docs.length;
    last = docs.at(-1)?._id;
    if (last === undefined || (left.length === 0 && docs.length < AT_ONCE)) return;
  }
}
