import { iso, notFound, timeOf, uidOf } from '@svc/kernel';
import type { Collection } from '@svc/document-store';
import { listEnvelope } from '@svc/service';
import type { FastifyRequest } from 'fastify';
import { pageOf, sliceOf } from '../page-of.ts';
import { groupsOf, pageOfGroup, requestsFilter } from '../requests/read-requests.ts';
import { type RefusedRequest, requestResource } from '../requests/row.ts';
import { allRows, type Ask, listOf } from './ask.ts';
import type { ConsoleHandlers } from './handlers.ts';

interface HistoryLine {
  type: string;
  at: string;
  request_id: string | null;
}

interface Event {
  data: { id: string };
}

const MINUTE_MS = 60_000;
/** Each may hold a document. */
const PAGE = 20;
/** Pages of the events of a minute that are read, the oldest first. */
const MOST_PAGES = 15;
const MOST_DOCUMENTS = 100;

export function requestsHandlers(rows: Collection<RefusedRequest>, ask: Ask, publicUrl: string) {
  const scopeOf = ({ identity: { env, account } }: FastifyRequest): string => `${env}.${account}`;
  return {
    async 'GET /console/requests'(request) {
      const { route, field } = request.query;
      const filter = requestsFilter(scopeOf(request), request.query);
      const isOfGroup = route !== undefined || field !== undefined;
      const { found, total } = isOfGroup
        ? await pageOfGroup(rows, filter, { route, field }, request.query, request.turn)
        : await pageOf(rows, filter, request.query, request.turn);
      return listEnvelope({ publicUrl, request, total, data: found.map(requestResource) });
    },

    async 'GET /console/requests/groups'(request) {
      const groups = await groupsOf(rows, scopeOf(request), request.turn);
      return listEnvelope({ publicUrl, request, total: groups.length, data: sliceOf(groups, request.query) });
    },

    async 'GET /console/requests/{id}'(request) {
      const { id } = request.params;
      const row = await rows.get(id);
      if (row?.scope === scopeOf(request)) return requestResource(row);
      const events = row ? [] : await eventsBy(request, id);
      if (events.length === 0) throw notFound('request');
      return { id, events };
    },
  } satisfies Partial<ConsoleHandlers>;

  /**
   * What succeeded is not recorded: the events of the minute after its id are looked through without an index, the oldest first, since its own are among the first
   * of them. Ends behind the page after which there are no more of its own.
   */
  async function eventsBy(request: FastifyRequest, id: string): Promise<object[]> {
    const uid = uidOf('req', id);
    if (uid === undefined) return [];
    const from = timeOf(uid);
    const seen = new Set<string>();
    const found: object[] = [];
    for await (const documents of oldestFirst(request, { created_from: iso(from), created_to: iso(from + MINUTE_MS) })) {
      const before = found.length;
      for (const document of documents) {
        if (seen.has(document) || seen.size >= MOST_DOCUMENTS) continue;
        seen.add(document);
        found.push(...(await eventsOf(request, document, id)));
      }
      if (seen.size >= MOST_DOCUMENTS || (before > 0 && found.length === before)) break;
    }
    return found;
  }

  /** The resources of events by pages, of a list whose newest are first and that grows while it is read: what was the last page may be another one by then. */
  async function* oldestFirst(request: FastifyRequest, query: Record<string, string>): AsyncGenerator<string[]> {
    const read = (page: number) => listOf<Event>(ask, request, ['/events', { ...query, per_page: String(PAGE), page: String(page) }]);
    let last = lastPage((await read(1))?.meta.total ?? 0);
    for (let reads = 0, behind = 0; reads < MOST_PAGES && behind < last; reads += 1) {
      const list = await read(last - behind);
      if (!list) return;
      const grown = lastPage(list.meta.total) - last;
      last += grown;
      if (grown > 0) continue;
      behind += 1;
      yield list.data.map(({ data }) => data.id).reverse();
    }
  }

  async function eventsOf(request: FastifyRequest, document: string, id: string): Promise<object[]> {
    const kind = document.startsWith('inv_') ? 'invoices' : document.startsWith('rcp_') ? 'receipts' : undefined;
    if (kind === undefined) return [];
    const history = await allRows(ask, request, `/${kind}/${document}/events`, {
      ...{ most: 100, size: PAGE },
      keep: ({ type, at, request_id }: HistoryLine) => ({ type, at, request_id }),
    });
    return history.filter(({ request_id: by }) => by === id).map(({ type, at }) => ({ document_id: document, type, at }));
  }
}

const lastPage = (total: number): number => Math.ceil(total / PAGE);
