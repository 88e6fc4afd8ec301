import { fiscalStatuses } from '@svc/contracts/document/vocabulary';
import { invoiceStatuses, paymentStatuses } from '@svc/contracts/invoice/vocabulary';
import type { FoundKind as Kind, FoundRow } from '@svc/contracts/console/resources';
import type { EndpointHours } from '@svc/contracts/webhook/endpoint-hours';
import { iso, notFound, uidOf } from '@svc/kernel';
import { permits } from '@svc/service';
import type { FastifyRequest } from 'fastify';
import { type Ask, listOf, type Rows } from './ask.ts';
import { unavailable } from '../principals/inside/unavailable.ts';
import type { ConsoleHandlers } from './handlers.ts';
import { anywhere, beginningsOf, digitsAtEnd, hasPart, inYearOf } from './number-parts.ts';

const values = { status: invoiceStatuses, payment_status: paymentStatuses, fiscal_status: fiscalStatuses } as const;

const KINDS = { invoice: 'inv', receipt: 'rcp', customer: 'cust', product: 'prod' } as const satisfies Record<Kind, string>;
const MOST_FOUND = 10;
/** Whole documents are read for their numbers. */
const READ = 20;
const MOST_BEGINNINGS = 3;

const HOUR_MS = 3_600_000;

interface Found {
  id: string;
  number?: string | null | undefined;
  name?: string | null | undefined;
  /** Of a draft, which has no number. */
  customer_name?: string | null | undefined;
}

/** A list that refuses a text which more resources match than it looks through. */
const TOO_MANY = Symbol('too many');
type List = Found[] | typeof TOO_MANY;
interface Refused {
  error?: { details?: Record<string, unknown> };
}

/** `hoursOf`: counts the attempts of an endpoint. */
export function lookingHandlers(ask: Ask, clock: { now(): number }, hoursOf: EndpointHours) {
  return {
    async 'GET /console/counts'(request) {
      const { of, by } = request.query;
      const counted = await Promise.all(
        values[by].map(async (value) => {
          const list = await listOf(ask, request, ['/invoices', { [by]: value, per_page: '1' }]);
          // The rights were there when the request began.
          if (!list) throw unavailable();
          return [value, list.meta.total] as const;
        }),
      );
      return { of, by, counts: Object.fromEntries(counted) };
    },

    async 'GET /console/search'(request) {
      const q = request.query.q.trim();
      const found = await Promise.all((Object.keys(KINDS) as Kind[]).map((kind) => find(request, kind, q)));
      const tooMany = found.flatMap(({ kind, isWhole }) => (isWhole ? [] : [kind]));
      return { data: found.flatMap(({ rows }) => rows), ...(tooMany.length > 0 && { too_many: tooMany }) };
    },

    async 'GET /console/webhooks/{id}/stats'(request) {
      const { id } = request.params;
      const hours = Number(request.query.hours);
      const { status } = await ask(request, `/webhooks/${encodeURIComponent(id)}`);
      if (status !== 200) throw notFound('webhook endpoint');
      const last = Math.floor(clock.now() / HOUR_MS) * HOUR_MS;
      const first = last - (hours - 1) * HOUR_MS;
      const { account, env } = request.identity;
      return hoursOf({ account, env, endpoint_id: id, from: iso(first), hours });
    },
  } satisfies Partial<ConsoleHandlers>;

  /** `isWhole`: false where more match than a list looks through. */
  async function find(request: FastifyRequest, kind: Kind, q: string): Promise<{ kind: Kind; rows: FoundRow[]; isWhole: boolean }> {
    const principal = request.requestContext?.principal;
    const none = { kind, rows: [], isWhole: true };
    if (!principal || !permits(principal.permissions, `${kind}s:read`)) return none;
    if (uidOf(KINDS[kind], q) !== undefined) {
      const { status, body } = await ask<Found>(request, `/${kind}s/${q}`);
      return status === 200 ? { ...none, rows: [rowOf(kind, body)] } : none;
    }
    const sees = principal.personalData || kind === 'product';
    if (!sees && kind === 'customer') return none;
    const by = !sees ? 'number' : kind === 'customer' && q.includes('@') ? 'email' : 'q';
    const lists: List[] = [await listed(request, kind, { [by]: q })];
    const hasNumbers = kind === 'invoice' || kind === 'receipt';
    if (hasNumbers && rowsIn(lists).length < MOST_FOUND) lists.push(...(await byPart(request, kind, q, sees)));
    const rows = [...new Map(rowsIn(lists).map((row) => [row.id, rowOf(kind, row)])).values()].slice(0, MOST_FOUND);
    return { kind, rows, isWhole: rows.length === MOST_FOUND || !lists.includes(TOO_MANY) };
  }

  /** [] where the member may not see it, or nothing can have the value of a filter. */
  async function listed(request: FastifyRequest, kind: Kind, query: Record<string, string>): Promise<List> {
    const { status, body } = await ask<Rows<Found> & Refused>(request, `/${kind}s`, { per_page: String(MOST_FOUND), ...query });
    if (status === 200) return body.data.map(({ id, number, name, customer_name }) => ({ id, number, name, customer_name }));
    // The text itself was checked as a list checks it.
    if (status === 400 && body.error?.details?.['q']) return TOO_MANY;
    const isOther = query['number'] === undefined && query['email'] === undefined;
    if (status === 403 || status === 404 || (status === 400 && !isOther)) return [];
    throw new Error(`GET /${kind}s with ${Object.keys(query).join(', ')} answers ${status}`);
  }

  /**
   * Documents whose number has this part: of the newest and the oldest, of those whose number begins as theirs do, or did in the year that is asked for, of those that
   * end with the digits at its end, and of those that have its digits anywhere.
   */
  async function byPart(request: FastifyRequest, kind: Kind, q: string, sees: boolean): Promise<List[]> {
    const ends = ['-created_at', 'created_at'].map((sort) => listed(request, kind, { sort, per_page: String(READ) }));
    const by = (text: string | undefined) =>
      sees && text !== undefined ? [listed(request, kind, { q: text, per_page: String(READ) })] : [];
    const [read, having] = await Promise.all([Promise.all([...ends, ...by(digitsAtEnd(q))]), Promise.all(by(anywhere(q)))]);
    const seen = rowsIn(read).filter(({ number }) => typeof number === 'string');
    const numbers = seen.map(({ number }) => number ?? '');
    const begin = sees ? beginningsOf(q, inYearOf(q, numbers), MOST_BEGINNINGS) : [];
    const begun = await Promise.all(begin.map((beginning) => listed(request, kind, { q: beginning })));
    return [seen.filter(({ number }) => hasPart(number ?? '', q)), ...read.filter((list) => list === TOO_MANY), ...begun, ...having];
  }
}

const rowsIn = (lists: readonly List[]): Found[] => lists.flatMap((list) => (list === TOO_MANY ? [] : list));

const rowOf = (kind: Kind, { id, number, name, customer_name }: Found): FoundRow => ({
  kind,
  id,
  title: number ?? name ?? customer_name ?? id,
});
