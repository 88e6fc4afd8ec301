import type { PageQuery } from '@svc/contracts/http/page';
import type { Collection, Filter, Page, Sort } from '@svc/document-store';
import type { Matches, Row, RunningProjection } from '@svc/event-store';
import { JsonText, soon, type Turn } from '@svc/kernel';
import type { JsonStream } from '../answers/json-stream.ts';
import type { FastifyReply } from 'fastify';
import type { Identity } from '../identity/identity.ts';
import { untilShown } from './as-of.ts';
import type { ListRequest } from './list-envelope.ts';
import { PIECE } from './list-items.ts';
import { listPage } from './list-page.ts';

type Readable<R extends Row> = Pick<RunningProjection<R>, 'projection' | 'rows' | 'asOf' | 'matches'>;

export interface ListProjectionOptions<R extends Row> {
  running: Readable<R> & { earlier?: Readable<R> };
  publicUrl: string;
  request: ListRequest & { identity: Identity; query: PageQuery & { sort?: string }; turn?: Turn; reply?: FastifyReply };
  /** The caller's filter besides account and environment; {} for none. May list ids, which are looked up one by one. */
  filter: Filter;
  /** Sort orders by the value of `sort`. A projection with ordinals has `created_at` and `-created_at` already. */
  orders: Record<string, Sort>;
  /** What is answered instead of these rows, in their order; the rows themselves by default. */
  shown?: ((rows: R[]) => Promise<R[]>) | undefined;
}

/** The total number of rows and the page. */
interface Found<R> {
  total: number;
  page: Page<R>;
}

/** A page of the rows of one account and environment. */
interface Wanted {
  tenant: Pick<Row, 'account' | 'env'>;
  filter: Filter;
  order: Sort;
  skip: number;
  limit: number;
  turn: Turn;
}

const byOrdinal: Record<string, Sort> = { '-created_at': { ordinal: -1 }, created_at: { ordinal: 1 } };

/**
 * A list of a projection, newest first by default. It contains everything that was acknowledged before the request; while the disk is full what it has, and
 * `Svc-As-Of` says of when that is. If
 * the projection has ordinals, an unfiltered page in the order of creation is a range of them: page 50,000 costs as much as page 1. A filter is
 * then counted and read in blocks of ordinals, with a turn between two. While the read model is being built, a list is read from that of an earlier release,
 * or waits where it names a field that this does not have: 503 after 10 s.
 */
export async function listProjection<R extends Row>(options: ListProjectionOptions<R>): Promise<JsonText | JsonStream> {
  const { publicUrl, request, filter, orders, shown = (same: R[]) => same } = options;
  const { page, per_page: limit, sort = '-created_at' } = request.query;
  const { account, env } = request.identity;
  const order = orders[sort] ?? byOrdinal[sort] ?? {};
  const running = readableBy([...Object.keys(filter), ...Object.keys(order)], options.running);
  await untilShown(request.reply, running);
  const wanted: Wanted = {
    tenant: { account, env },
    filter,
    order,
    skip: (page - 1) * limit,
    limit,
    turn: request.turn ?? soon,
  };
  const { rows, projection } = running;
  const { _id: ids, ...others } = filter;
  const pageOf = ids !== undefined ? pageOfIds : projection.ordinals ? pageByOrdinals : pageOfMatches;
  const found = await pageOf(running, wanted);
  const { docs, left } = found.page;
  return listPage({
    ...{ publicUrl, request, total: found.total, page: { docs: await shown(docs), left }, turn: wanted.turn },
    async *read(ids, bytes) {
      for await (const some of rows.read(ids, { ...wanted.tenant, ...others }, bytes)) yield await shown(some);
    },
    toResource: ({ resource }) => new JsonText(resource),
  });
}

/** The read model of an earlier release while it serves and has these fields. */
function readableBy<R extends Row>(fields: readonly string[], { earlier, ...running }: ListProjectionOptions<R>['running']): Readable<R> {
  return earlier && !fields.some((field) => earlier.projection.newFields?.includes(field)) ? earlier : running;
}

const nothing = { docs: [], left: [] };

/** Ids that a filter may list. */
const MOST_IDS = 10_000;

/** All that match are found, in order: that is a page and the total at once. */
async function pageOfIds<R extends Row>(
  { rows }: Pick<RunningProjection<R>, 'rows'>,
  { tenant, filter, order, skip, limit, turn }: Wanted,
): Promise<Found<R>> {
  const { left } = await rows.page({ ...tenant, ...filter }, { sort: order, limit: MOST_IDS, turn }, 0);
  return { total: left.length, page: { docs: [], left: left.slice(skip, skip + limit) } };
}

async function pageOfMatches<R extends Row>(
  { rows }: Pick<RunningProjection<R>, 'rows'>,
  { tenant, filter, order, skip, limit, turn }: Wanted,
): Promise<Found<R>> {
  const all = { ...tenant, ...filter };
  const total = await rows.count(all, turn);
  return { total, page: skip >= total ? nothing : await rows.page(all, { sort: order, skip, limit, matches: total, turn }, PIECE) };
}

async function pageByOrdinals<R extends Row>(
  { rows, matches }: Pick<RunningProjection<R>, 'rows' | 'matches'>,
  wanted: Wanted,
): Promise<Found<R>> {
  const { tenant, filter, order, skip, limit, turn } = wanted;
  const isOfAll = Object.keys(filter).length === 0;
  const found = isOfAll ? undefined : await matches(tenant, filter, turn);
  const total = found?.total ?? (await rows.highest('ordinal', { ...tenant })) ?? 0;
  if (skip >= total) return { total, page: nothing };
  const direction = Object.keys(order).join() === 'ordinal' ? order['ordinal'] : undefined;
  if (direction === undefined)
    return { total, page: await rows.page({ ...tenant, ...filter }, { sort: order, skip, limit, matches: total, turn }, PIECE) };
  if (found) return { total, page: await pageOfSlices(rows, wanted, found) };
  const [low, high] = direction === 1 ? [skip + 1, skip + limit] : [total - skip - limit + 1, total - skip];
  return { total, page: await rows.page({ ...tenant, ordinal: { $gte: low, $lte: high } }, { sort: order, limit }, PIECE) };
}

/** Ordinals that are looked through at once: some milliseconds. */
const AT_ONCE = 20_000;

/** Reads the blocks that the page lies in, in the order of the list, from the first that has a row of it. */
async function pageOfSlices<R extends Row>(
  rows: Collection<R>,
  { tenant, filter, order, skip, limit, turn }: Wanted,
  { blocks, size }: Matches,
): Promise<Page<R>> {
  const page: Page<R> = { docs: [], left: [] };
  const inOrder = [...blocks.entries()];
  if (order['ordinal'] === -1) inOrder.reverse();
  let [passed, wanted, free] = [skip, limit, PIECE];
  for (let at = 0; at < inOrder.length && wanted > 0;) {
    const [first, count] = inOrder[at] as [number, number];
    if (passed >= count) {
      passed -= count;
      at += 1;
      continue;
    }
    if (page.docs.length + page.left.length > 0) await turn(0);
    let last = first;
    for (let [found, end] = [0, at + Math.max(1, AT_ONCE / size)]; at < Math.min(end, inOrder.length) && found < passed + wanted; at += 1) {
      const [n, more] = inOrder[at] as [number, number];
      [last, found] = [n, found + more];
    }
    const range = { ...filter, ...tenant, ordinal: { $gt: Math.min(first, last) * size, $lte: (Math.max(first, last) + 1) * size } };
    const query = { sort: order, skip: passed, limit: wanted, turn };
    const { docs, left } = await rows.page(range, query, page.left.length > 0 ? 0 : free);
    page.docs.push(...docs);
    page.left.push(...left);
    wanted -= docs.length + left.length;
    free = Math.max(0, free - docs.reduce((sum, { resource }) => sum + resource.length, 0));
    passed = 0;
  }
  return page;
}
