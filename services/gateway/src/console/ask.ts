import type { FastifyInstance, FastifyRequest } from 'fastify';
import { createAskInside, type Insiders, isFailure } from '../principals/inside/ask-inside.ts';
import { unavailable } from '../principals/inside/unavailable.ts';
import type { Principal } from '../principals/principal.ts';

export interface Asked<Body> {
  status: number;
  body: Body;
}

/** A list as it is answered. */
export interface Rows<Row = Record<string, unknown>> {
  data: Row[];
  meta: { total: number };
}

/**
 * Reads a route of the interface as the member, in the environment of the request; wherever its service runs, it is asked as for anyone. `as`: with other permissions,
 * for what the gateway itself looks up. Throws service_unavailable where the service fails: a failure is never shown as nothing.
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
    const { prefer } = request.headers;
    const search = new URLSearchParams(query).toString();
    const { principal, requestId } = requestContext;
    const { status, bytes } = await askInside({
      ...{ principal: as ?? principal, requestId, prefer },
      url: `/v1${path}${search === '' ? '' : `?${search}`}`,
    });
    if (isFailure(status)) throw unavailable();
    return { status, body: JSON.parse(bytes.toString('utf8')) };
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
): Promise<Rows<Row> | undefined> {
  const { status, body } = await ask<Rows<Row>>(request, path, query, as);
  if (status === 200) return body;
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
