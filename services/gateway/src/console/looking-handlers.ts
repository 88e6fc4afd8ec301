import { fiscalStatuses } from '@svc/contracts/document/vocabulary';
import { invoiceStatuses, paymentStatuses } from '@svc/contracts/invoice/vocabulary';
import type { FoundRow } from '@svc/contracts/console/resources';
import type { EndpointHours } from '@svc/contracts/webhook/endpoint-hours';
import { iso, notFound, uidOf } from '@svc/kernel';
import { permits } from '@svc/service';
import type { FastifyRequest } from 'fastify';
import { type Ask, type Rows } from './ask.ts';
import type { ConsoleHandlers } from './handlers.ts';
import { beginningsOf, hasPart, inYearOf } from './number-parts.ts';

const values = { status: invoiceStatuses, payment_status: paymentStatuses, fiscal_status: fiscalStatuses } as const;

const KINDS = { invoice: 'inv', receipt: 'rcp', customer: 'cust', product: 'prod' } as const;
type Kind = keyof typeof KINDS;
const MOST_FOUND = 10;
/** Whole documents are read for their numbers. */
const READ = 20;
const MOST_BEGINNINGS = 3;

const HOUR_MS = 3_600_000;

interface Found {
  id: string;
  number?: string | null | undefined;
  name?: string | null | undefined;
}

/** `hoursOf`: counts the attempts of an endpoint. */
export function lookingHandlers(ask: Ask, clock: { now(): number }, hoursOf: EndpointHours) {
  return {
    async 'GET /console/counts'(request) {
      const { of, by } = request.query;
      const counted = await Promise.all(
        values[by].map(async (value) => {
          const { status, body } = await ask<Rows>(request, '/invoices', { [by]: value, per_page: '1' });
          return [value, status === 200 ? body.meta.total : 0] as const;
        }),
      );
      return { of, by, counts: Object.fromEntries(counted) };
    },

    async 'GET /console/search'(request) {
      const q = request.query.q.trim();
      const found = await Promise.all((Object.keys(KINDS) as Kind[]).map((kind) => find(request, kind, q)));
      return { data: found.flat() };
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

  async function find(request: FastifyRequest, kind: Kind, q: string): Promise<FoundRow[]> {
    const principal = request.requestContext?.principal;
    if (!principal || !permits(principal.permissions, `${kind}s:read`)) return [];
    if (uidOf(KINDS[kind], q) !== undefined) {
      const { status, body } = await ask<Found>(request, `/${kind}s/${q}`);
      return status === 200 ? [rowOf(kind, body)] : [];
    }
    const sees = principal.personalData || kind === 'product';
    if (!sees && kind === 'customer') return [];
    const by = !sees ? 'number' : kind === 'customer' && q.includes('@') ? 'email' : 'q';
    const whole = await listed(request, kind, { [by]: q });
    const hasNumbers = kind === 'invoice' || kind === 'receipt';
    if (!hasNumbers || whole.length >= MOST_FOUND) return whole.map((row) => rowOf(kind, row));
    const more = await byPart(request, kind, q, sees);
    const rows = new Map([...whole, ...more].map((row) => [row.id, rowOf(kind, row)]));
    return [...rows.values()].slice(0, MOST_FOUND);
  }

  async function listed(request: FastifyRequest, kind: Kind, query: Record<string, string>): Promise<Found[]> {
    const { status, body } = await ask<Rows<Found>>(request, `/${kind}s`, { per_page: String(MOST_FOUND), ...query });
    return status === 200 ? body.data.map(({ id, number, name }) => ({ id, number, name })) : [];
  }

  /** Documents whose number has this part: of the newest and the oldest, and of those whose number begins as theirs do, or did in the year that is asked for. */
  async function byPart(request: FastifyRequest, kind: Kind, q: string, sees: boolean): Promise<Found[]> {
    const [newest, oldest] = await Promise.all(
      ['-created_at', 'created_at'].map(async (sort) =>
        (await listed(request, kind, { sort, per_page: String(READ) })).filter(({ number }) => typeof number === 'string'),
      ),
    );
    const seen = [...(newest ?? []), ...(oldest ?? [])];
    const numbers = seen.map(({ number }) => number ?? '');
    const begin = sees ? beginningsOf(q, inYearOf(q, numbers), MOST_BEGINNINGS) : [];
    const begun = await Promise.all(begin.map((beginning) => listed(request, kind, { q: beginning })));
    return [...seen.filter(({ number }) => hasPart(number ?? '', q)), ...begun.flat()];
  }
}

const rowOf = (kind: Kind, { id, number, name }: Found): FoundRow => ({ kind, id, title: number ?? name ?? id });
