import type { Filter, Sort } from '@svc/documents';
import { allOf } from '../all-of.ts';
import { listEnvelope, type ListEnvelope } from '@svc/service-kit';
import type { FastifyRequest } from 'fastify';
import type { RunningView } from './run-view.ts';
import type { Row } from './view.ts';

export interface ListOptions<R extends Row, Item> {
  running: Pick<RunningView<R>, 'view' | 'rows' | 'barrier'>;
  publicUrl: string;
  /** With `identity`; its query holds `page`, `per_page` and `sort`. */
  request: FastifyRequest;
  /** What the caller asked for besides account and environment; {} for everything. */
  filter: Filter;
  /** By the value of `sort`. `created_at` and `-created_at` of a view with ordinals are known. */
  orders: Record<string, Sort>;
  toResource(row: R): Item;
}

interface Page {
  page: number;
  perPage: number;
  sort: string;
}

const byOrdinal: Record<string, Sort> = { '-created_at': { ordinal: -1 }, created_at: { ordinal: 1 } };

/**
 * The contract's list, newest first. Never misses what was acknowledged before it was asked for. Where the view has ordinals, a page
 * of everything in the order of creation is a range of them, so that page 50,000 costs what page 1 costs.
 */
export async function list<R extends Row, Item>(options: ListOptions<R, Item>): Promise<ListEnvelope<Item>> {
  const { running, publicUrl, request, filter, orders, toResource } = options;
  const { page, per_page: perPage, sort = '-created_at' } = request.query as { page: number; per_page: number; sort?: string };
  const { account, env } = request.identity;
  await running.barrier();
  const everything = running.view.ordinals && Object.keys(filter).length === 0 && sort in byOrdinal;
  const tenant: Filter = { account, env };
  const { total, rows } = everything
    ? await pageOfOrdinals(running, tenant, { page, perPage, sort })
    : await pageOfMatches(running, { ...tenant, ...filter }, orders[sort] ?? byOrdinal[sort] ?? {}, { page, perPage });
  return listEnvelope({ publicUrl, request, total, data: rows.map(toResource) });
}

type Paging = Pick<Page, 'page' | 'perPage'>;

async function pageOfOrdinals<R extends Row>({ rows }: { rows: RunningView<R>['rows'] }, tenant: Filter, { page, perPage, sort }: Page) {
  const [last] = await allOf(rows.find(tenant, { sort: { ordinal: -1 }, limit: 1 }));
  const total = last?.ordinal ?? 0;
  const before = (page - 1) * perPage;
  const [low, high] = sort === 'created_at' ? [before + 1, before + perPage] : [total - before - perPage + 1, total - before];
  if (high < 1 || low > total) return { total, rows: [] };
  return { total, rows: await allOf(rows.find({ ...tenant, ordinal: { $gte: low, $lte: high } }, { sort: byOrdinal[sort] })) };
}

async function pageOfMatches<R extends Row>(
  { rows }: { rows: RunningView<R>['rows'] },
  filter: Filter,
  sort: Sort,
  { page, perPage }: Paging,
) {
  const total = await rows.count(filter);
  const skip = (page - 1) * perPage;
  if (skip >= total) return { total, rows: [] };
  return { total, rows: await allOf(rows.find(filter, { sort, skip, limit: perPage })) };
}
