import type { PageQuery } from '@svc/contracts/http/page';
import type { Collection, Filter, Page, Sort } from '@svc/document-store';
import type { Row, RunningProjection } from '@svc/event-store';
import { JsonText } from '@svc/kernel';
import type { JsonStream } from '../answers/json-stream.ts';
import type { Identity } from '../identity/identity.ts';
import type { ListRequest } from './list-envelope.ts';
import { listPage, WHOLE } from './list-page.ts';

export interface ListProjectionOptions<R extends Row> {
  running: Pick<RunningProjection<R>, 'projection' | 'rows' | 'barrier'>;
  publicUrl: string;
  request: ListRequest & { identity: Identity; query: PageQuery & { sort?: string } };
  /** The caller's filter besides account and environment; {} for none. */
  filter: Filter;
  /** Sort orders by the value of `sort`. A projection with ordinals has `created_at` and `-created_at` already. */
  orders: Record<string, Sort>;
}

interface Paging {
  page: number;
  perPage: number;
}

/** The total number of rows and the page. */
interface Found<R> {
  total: number;
  page: Page<R>;
}

const byOrdinal: Record<string, Sort> = { '-created_at': { ordinal: -1 }, created_at: { ordinal: 1 } };

/**
 * A list of a projection, newest first by default; large pages are streamed. It contains everything that was acknowledged before the request. If
 * the projection has ordinals, an unfiltered page in the order of creation is a range of them: page 50,000 costs as much as page 1.
 */
export async function listProjection<R extends Row>(options: ListProjectionOptions<R>): Promise<JsonText | JsonStream> {
  const { running, publicUrl, request, filter, orders } = options;
  const { page, per_page: perPage, sort = '-created_at' } = request.query;
  const { account, env } = request.identity;
  await running.barrier();
  const { rows, projection } = running;
  const everything = projection.ordinals && Object.keys(filter).length === 0 && sort in byOrdinal;
  const tenant: Filter = { account, env };
  const found = everything
    ? await pageOfOrdinals(rows, tenant, sort, { page, perPage })
    : await pageOfMatches(rows, { ...tenant, ...filter }, orders[sort] ?? byOrdinal[sort] ?? {}, { page, perPage });
  return listPage({
    publicUrl,
    request,
    ...found,
    read: (ids, bytes) => rows.read(ids, bytes),
    toResource: ({ resource }) => new JsonText(resource),
  });
}

const nothing = { docs: [], left: [] };

async function pageOfOrdinals<R extends Row>(
  rows: Collection<R>,
  tenant: Filter,
  order: string,
  { page, perPage }: Paging,
): Promise<Found<R>> {
  const total = (await rows.highest('ordinal', tenant)) ?? 0;
  const before = (page - 1) * perPage;
  const [low, high] = order === 'created_at' ? [before + 1, before + perPage] : [total - before - perPage + 1, total - before];
  if (high < 1 || low > total) return { total, page: nothing };
  const range = { ...tenant, ordinal: { $gte: low, $lte: high } };
  return { total, page: await rows.page(range, { sort: byOrdinal[order], limit: perPage }, WHOLE) };
}

async function pageOfMatches<R extends Row>(rows: Collection<R>, filter: Filter, sort: Sort, { page, perPage }: Paging): Promise<Found<R>> {
  const total = await rows.count(filter);
  const skip = (page - 1) * perPage;
  if (skip >= total) return { total, page: nothing };
  return { total, page: await rows.page(filter, { sort, skip, limit: perPage }, WHOLE) };
}
