import { iso, notFound, timeOf, uidOf } from '@svc/kernel';
import type { Collection } from '@svc/document-store';
import { listEnvelope } from '@svc/service';
import type { FastifyRequest } from 'fastify';
import { pageOf, sliceOf } from '../page-of.ts';
import { groupsOf, pageOfGroup, requestsFilter } from '../requests/read-requests.ts';
import { type RefusedRequest, requestResource } from '../requests/row.ts';
import { allRows, type Ask } from './ask.ts';
import type { ConsoleHandlers } from './handlers.ts';

interface HistoryLine {
  type: string;
  at: string;
  request_id: string | null;
}

const MINUTE_MS = 60_000;
const MOST_EVENTS = 300;
const MOST_DOCUMENTS = 50;

export function requestsHandlers(rows: Collection<RefusedRequest>, ask: Ask, publicUrl: string) {
  const scopeOf = ({ identity: { env, account } }: FastifyRequest): string => `${env}.${account}`;
  return {
    async 'GET /console/requests'(request) {
      const { route, field } = request.query;
      const filter = requestsFilter(scopeOf(request), request.query);
      const isOfGroup = route !== undefined || field !== undefined;
      const { found, total } = isOfGroup
        ? await pageOfGroup(rows, filter, { route, field }, request.query)
        : await pageOf(rows, filter, request.query);
      return listEnvelope({ publicUrl, request, total, data: found.map(requestResource) });
    },

    async 'GET /console/requests/groups'(request) {
      const groups = await groupsOf(rows, scopeOf(request));
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

  /** What succeeded is not recorded: the events of the minute after its id are looked through, without an index. */
  async function eventsBy(request: FastifyRequest, id: string): Promise<object[]> {
    const uid = uidOf('req', id);
    if (uid === undefined) return [];
    const from = timeOf(uid);
    const query = { created_from: iso(from), created_to: iso(from + MINUTE_MS) };
    const ids = await allRows(ask, request, '/events', {
      ...{ query, most: MOST_EVENTS, size: 20 },
      keep: ({ data }: { data: { id: string } }) => data.id,
    });
    const documents = [...new Set(ids)].slice(0, MOST_DOCUMENTS);
    const found: object[] = [];
    for (const document of documents) {
      const kind = document.startsWith('inv_') ? 'invoices' : document.startsWith('rcp_') ? 'receipts' : undefined;
      if (kind === undefined) continue;
      const history = await allRows(ask, request, `/${kind}/${document}/events`, {
        ...{ most: 100, size: 20 },
        keep: ({ type, at, request_id }: HistoryLine) => ({ type, at, request_id }),
      });
      for (const { type, at, request_id: by } of history) if (by === id) found.push({ document_id: document, type, at });
    }
    return found;
  }
}
