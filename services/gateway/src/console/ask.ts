import type { FastifyInstance, FastifyRequest } from 'fastify';
import { createAskInside, type Insiders, isFailure } from '../principals/inside/ask-inside.ts';
import { unavailable } from '../principals/inside/unavailable.ts';
import type { Principal } from '../principals/principal.ts';

export interface Asked<Body> {
  status: number;
  body: Body;
  /** Of the answer. */
  bytes: number;
}

/** A list as it is answered. */
export interface Rows<Row = Record<string, unknown>> {
  data: Row[];
  meta: { total: number };
}

export type Listed<Row> = Rows<Row> & Pick<Asked<unknown>, 'bytes'>;

/**
 * Reads a route of the interface as the member, in the environment of the request; wherever its service runs, it is asked as for anyone. `as`: with other permissions,
 * for what the gateway itself looks up. Throws service_unavailable where the service fails: a failure is never shown as nothing; and where the client has gone.
 */
export type Ask = <Body = Record<string, unknown>>(
  request: FastifyRequest,
  path: string,
  query?: Record<string, string>,
  as?: Principal,
) => Promise<Asked<Body>>;

export function createAsk(fastify: FastifyInstance, insiders: Insiders): Ask {
  const askInside = createAskInside(fastify, insiders);
  return async (request, path, query = {}, as) => {
    const { requestContext } = request;
    if (!requestContext) throw new Error('a request without a principal asks');
    await request.turn(0);
    const { prefer } = request.headers;
    const search = new URLSearchParams(query).toString();
    const { principal, requestId } = requestContext;
    const { status, bytes } = await askInside({
      ...{ principal: as ?? principal, requestId, prefer },
      url: `/v1${path}${search === '' ? '' : `?${search}`}`,
    });
    if (isFailure(status)) throw unavailable();
    return { status, body: JSON.parse(bytes.toString('utf8')), bytes: bytes.length };
  };
}

/**
 * A list that the console asks for on its own; undefined where the member may not see it, or its document has none. Any other refusal is a fault of
 * this program, which is never shown as an empty list: throws an Error with the status and the path.
 */
export async function listOf<Row>(
  ask: Ask,
  request: FastifyRequest,
  [path, query]: readonly [path: string, query: Record<string, string>],
  as?: Principal,
): Promise<Listed<Row> | undefined> {
  const { status, body, bytes } = await ask<Rows<Row>>(request, path, query, as);
  if (status === 200) return { ...body, bytes };
  if (status === 403 || status === 404) return undefined;
  throw new Error(`GET ${path} with ${Object.keys(query).join(', ')} answers ${status}`);
}

interface AllRows<Row, Kept> {
  query?: Record<string, string>;
  /** Rows that are read. */
  most: number;
  /** Rows of a page: 20 where each may hold a document. */
  size: 20 | 100;
  /** What is held of a row, which may be long. */
  keep(row: Row): Kept;
}

/** What is kept of the rows of a list, [] where the member may not see it. */
export async function allRows<Row, Kept>(
  ask: Ask,
  request: FastifyRequest,
  path: string,
  { query = {}, most, size, keep }: AllRows<Row, Kept>,
): Promise<Kept[]> {
  const rows: Kept[] = [];
  for (let page = 1; rows.length < most; page += 1) {
    const list = await listOf<Row>(ask, request, [path, { ...query, per_page: String(size), page: String(page) }]);
    if (!list) return rows;
    rows.push(...list.data.map(keep));
    if (page * size >= list.meta.total) return rows;
  }
  return rows.slice(0, most);
}

interface LastRows<Row, Kept> extends Pick<AllRows<Row, Kept>, 'size' | 'keep'> {
  /** So many are wanted; pages are read whole. */
  least: number;
}

/** What is kept of the last rows of a list whose oldest are first, in its order, and how many rows it has: only the pages that they are on are read, and the first one. */
export async function lastRows<Row, Kept>(
  ask: Ask,
  request: FastifyRequest,
  path: string,
  { least, size, keep }: LastRows<Row, Kept>,
): Promise<{ rows: Kept[]; total: number }> {
  const read = (page: number) => listOf<Row>(ask, request, [path, { per_page: String(size), page: String(page) }]);
  const first = await read(1);
  if (!first) return { rows: [], total: 0 };
  const rows: Kept[] = [];
  let page = Math.ceil(first.meta.total / size);
  for (; page > 0 && rows.length < least; page -= 1) {
    const list = page === 1 ? first : await read(page);
    rows.unshift(...(list?.data.map(keep) ?? []));
  }
  return { rows, total: page > 0 ? first.meta.total : rows.length };
}
