import type { ListEnvelope } from '@svc/contracts/http/list';
import type { PageQuery } from '@svc/contracts/http/page';

export interface ListRequest {
  query: Partial<PageQuery>;
  url: string;
  /** The URL that was sent, where another was routed. */
  originalUrl?: string;
}

export interface ListOptions<Item> {
  /** Public origin, without a slash at its end. */
  publicUrl: string;
  request: ListRequest;
  total: number;
  data: Item[];
  /** Of a list that has no numbered pages: the values of `after` with which this page, the next one (null: there is none) and the last one begin. */
  after?: { first: string; next: string | null; last: string };
}

/**
 * A list in the form of the contract. Links keep all query parameters as they were sent and have `page` (or `after`) last, so that all links to a page are
 * equal. After the end `prev` is the last page.
 */
export function listEnvelope<Item>({ data, ...options }: ListOptions<Item>): ListEnvelope<Item> {
  return { data, ...listFrame(options) };
}

/** The list without its items. */
export function listFrame({ publicUrl, request, total, after }: Omit<ListOptions<never>, 'data'>): Omit<ListEnvelope<never>, 'data'> {
  const { page = 1, per_page = 20 } = request.query;
  const last = Math.max(1, Math.ceil(total / per_page));
  if (after) {
    const link = linksOf(publicUrl, request.originalUrl ?? request.url, 'after');
    return {
      meta: { current_page: 1, per_page, total, last_page: last },
      links: { first: link(after.first), last: link(after.last), prev: null, next: after.next === null ? null : link(after.next) },
    };
  }
  const link = linksOf(publicUrl, request.originalUrl ?? request.url, 'page');
  return {
    meta: { current_page: page, per_page, total, last_page: last },
    links: {
      first: link(1),
      last: link(last),
      prev: page > 1 ? link(Math.min(page - 1, last)) : null,
      next: page < last ? link(page + 1) : null,
    },
  };
}

function linksOf(publicUrl: string, url: string, parameter: 'page' | 'after'): (value: number | string) => string {
  const mark = url.indexOf('?');
  const path = (mark < 0 ? url : url.slice(0, mark)).replace(/\/+$/, '');
  const query = new URLSearchParams(mark < 0 ? '' : url.slice(mark + 1));
  query.delete(parameter);
  const kept = query.size === 0 ? '' : `${query}&`;
  return (value) => `${publicUrl}${path}?${kept}${parameter}=${value}`;
}
