import type { ConsoleActor } from '@svc/contracts/console/resources';
import { iso, notFound, timeOf, uidOf } from '@svc/kernel';
import type { Collection } from '@svc/document-store';
import { listEnvelope } from '@svc/service';
import type { FastifyRequest } from 'fastify';
import { namesOfActors } from '../actors/actor-names.ts';
import { pageOf, sliceOf } from '../page-of.ts';
import { groupsOf, pageOfGroup, requestsFilter } from '../requests/read-requests.ts';
import { type RefusedRequest, requestResource } from '../requests/row.ts';
import { type Ask, type Listed, listOf } from './ask.ts';
import type { ConsoleContext, ConsoleHandlers } from './handlers.ts';

interface HistoryLine {
  type: string;
  at: string;
  request_id: string | null;
}

interface Event {
  /** The version of the document after it, and so which line of the history it is. */
  sequence: number;
  data: { id: string };
}

const MINUTE_MS = 60_000;
/** Each may hold a document. */
const PAGE = 20;
/** Pages of the events of a minute that are read, the oldest first. */
const MOST_PAGES = 15;
/** Lines of a history that are read at once: each may hold what it changed. */
const LINES = 5;
const MOST_PARTS = 100;
/** Of all answers that are read. */
const MOST_BYTES = 16 * 1024 * 1024;

interface RequestsParts {
  /** For the names of who asked. */
  context: Pick<ConsoleContext, 'people' | 'store'>;
  rows: Collection<RefusedRequest>;
  ask: Ask;
  publicUrl: string;
}

export function requestsHandlers({ context, rows, ask, publicUrl }: RequestsParts) {
  const scopeOf = ({ identity: { env, account } }: FastifyRequest): string => `${env}.${account}`;
  return {
    async 'GET /console/requests'(request) {
      const { route, field } = request.query;
      const filter = requestsFilter(scopeOf(request), request.query);
      const isOfGroup = route !== undefined || field !== undefined;
      const { found, total } = isOfGroup
        ? await pageOfGroup(rows, filter, { route, field }, request.query, request.turn)
        : await pageOf(rows, filter, request.query, request.turn);
      return { ...listEnvelope({ publicUrl, request, total, data: found.map(requestResource) }), actors: await actorsOf(request, found) };
    },

    async 'GET /console/requests/groups'(request) {
      const groups = await groupsOf(rows, scopeOf(request), request.turn);
      return listEnvelope({ publicUrl, request, total: groups.length, data: sliceOf(groups, request.query) });
    },

    async 'GET /console/requests/{id}'(request) {
      const { id } = request.params;
      const row = await rows.get(id);
      if (row?.scope === scopeOf(request)) {
        const [actor] = await actorsOf(request, [row]);
        return { ...requestResource(row), ...(actor && { actor }) };
      }
      const events = row ? [] : await eventsBy(request, id);
      if (events.length === 0) throw notFound('request');
      return { id, events };
    },
  } satisfies Partial<ConsoleHandlers>;

  /** Who asked, each once. */
  async function actorsOf({ identity }: FastifyRequest, found: readonly RefusedRequest[]): Promise<ConsoleActor[]> {
    const types = new Map(found.map((row) => [idOfActor(row), row.key_id === null ? 'member' : 'api_key'] as const));
    const names = await namesOfActors(
      context,
      identity.account,
      [...types.keys()].filter((id) => id !== null),
    );
    return [...types].map(([id, type]) => ({ type, id, name: names.get(id ?? '') ?? null }));
  }

  /**
   * What succeeded is not recorded: the events of the minute after its id are looked through without an index, the oldest first, since its own are among the first
   * of them. Of a history only the lines around an event are read. Ends behind the page after which there are no more of its own, and where too much was read.
   */
  async function eventsBy(request: FastifyRequest, id: string): Promise<object[]> {
    const uid = uidOf('req', id);
    if (uid === undefined) return [];
    const reading: Reading = { request, id, bytes: 0, parts: new Set() };
    const from = timeOf(uid);
    const found: object[] = [];
    for await (const events of oldestFirst(reading, { created_from: iso(from), created_to: iso(from + MINUTE_MS) })) {
      const before = found.length;
      for (const { data, sequence } of events) found.push(...(await linesOf(reading, data.id, Math.ceil(sequence / LINES))));
      if (isOver(reading) || (before > 0 && found.length === before)) break;
    }
    return found;
  }

  async function read<Row>(reading: Reading, path: string, query: Record<string, string>): Promise<Listed<Row> | undefined> {
    const list = await listOf<Row>(ask, reading.request, [path, query]);
    reading.bytes += list?.bytes ?? 0;
    return list;
  }

  /** Events by pages, of a list whose newest are first and that grows while it is read: what was the last page may be another one by then. */
  async function* oldestFirst(reading: Reading, query: Record<string, string>): AsyncGenerator<Event[]> {
    const pageAt = (page: number, size = PAGE) => read<Event>(reading, '/events', { ...query, per_page: String(size), page: String(page) });
    let last = lastPage((await pageAt(1, 1))?.meta.total ?? 0);
    for (let reads = 0, behind = 0; reads < MOST_PAGES && behind < last; reads += 1) {
      const list = await pageAt(last - behind);
      if (!list) return;
      const grown = lastPage(list.meta.total) - last;
      last += grown;
      if (grown > 0) continue;
      behind += 1;
      yield list.data.reverse();
    }
  }

  /** The lines of a part of a history that are the request's; where one is at the edge of it, of the part beside it, too. */
  async function linesOf(reading: Reading, document: string, part: number): Promise<object[]> {
    const kind = document.startsWith('inv_') ? 'invoices' : document.startsWith('rcp_') ? 'receipts' : undefined;
    const name = `${document} ${part}`;
    if (kind === undefined || part < 1 || isOver(reading) || reading.parts.has(name)) return [];
    reading.parts.add(name);
    const query = { per_page: String(LINES), page: String(part) };
    const list = await read<HistoryLine>(reading, `/${kind}/${document}/events`, query);
    const [lines, total] = [list?.data ?? [], list?.meta.total ?? 0];
    const isOwn = (line: HistoryLine | undefined): boolean => line?.request_id === reading.id;
    return [
      ...(isOwn(lines[0]) ? await linesOf(reading, document, part - 1) : []),
      ...lines.filter(isOwn).map(({ type, at }) => ({ document_id: document, type, at })),
      ...(part * LINES < total && isOwn(lines.at(-1)) ? await linesOf(reading, document, part + 1) : []),
    ];
  }
}

const idOfActor = ({ key_id, member_id }: RefusedRequest): string | null => key_id ?? member_id;

interface Reading {
  request: FastifyRequest;
  /** Of the request that is looked for. */
  id: string;
  bytes: number;
  /** Parts of histories that were read. */
  parts: Set<string>;
}

const isOver = ({ bytes, parts }: Reading): boolean => bytes > MOST_BYTES || parts.size >= MOST_PARTS;
const lastPage = (total: number): number => Math.ceil(total / PAGE);
