import { CLOSED_SERIES } from '@svc/contracts/issuer/setup';
import type { TodayRow, TodaySection } from '@svc/contracts/console/resources';
import { dayIn, DomainError, iso, millisOf, plusDays, startOfDay } from '@svc/kernel';
import { permits } from '@svc/service';
import type { FastifyRequest } from 'fastify';
import type { ApiKey } from '../keys/api-key.ts';
import { type Ask, listOf } from './ask.ts';
import type { ConsoleContext, ConsoleHandlers } from './handlers.ts';
import { type Issuer, issuerOf } from './issuer-handler.ts';

const SHOWN = 5;
const LONGEST_TITLE = 255;
const PATHS = ['/invoices', '/receipts'] as const;
const [HOUR_MS, DAY_MS] = [3_600_000, 86_400_000];
const ENDS_WITHIN_MS = 30 * DAY_MS;
/** Documents are read whole, one list after the other: of those without an outcome the oldest, a page after the other while it has some that are late; of the others the newest page. */
const LATE_READ = 20;
const LATE_PAGES = 10;
/** A week. */
const LATE_SHOWN_MS = 7 * DAY_MS;
/** A day: what the authority takes no more after it is about to be late. */
const SOON_MS = DAY_MS;
const MOST_KEYS = 1_000;

interface Document {
  id: string;
  number: string | null;
  customer?: { name: string | null } | null;
  updated_at: string;
  due_date?: string | null;
  fiscal?: { late: boolean; deadline_at?: string } | null;
}
interface Certificate {
  expires_at: string;
  subject: string;
  /** Takes over by itself. */
  successor?: object | null;
}
/** A section of documents: the lists that it counts, and since when a row is in it. */
interface Listed {
  kind: string;
  action: string;
  lists: readonly (readonly [path: string, query: Record<string, string>])[];
  sinceOf?: (document: Document) => string;
}
interface Endpoint {
  id: string;
  url: string;
  status: string;
  updated_at: string;
  health: { status: string; failing_since: string | null };
}

/** What is to be done, of what the member may see: each section is one or two lists of the interface, and stands by itself. */
export function todayHandler(context: ConsoleContext, ask: Ask) {
  const { clock, store } = context;

  const documents = async (request: FastifyRequest, { kind, action, lists, sinceOf = updated }: Listed) => {
    const rows: TodayRow[] = [];
    let count = 0;
    for (const [path, query] of lists) {
      const list = await listOf<Document>(ask, request, [path, { sort: 'created_at', ...query, per_page: String(SHOWN) }]);
      rows.push(...(list?.data.map((document) => documentRow(document, path, action, sinceOf(document))) ?? []));
      count += list?.meta.total ?? 0;
    }
    return section(kind, rows, count);
  };

  return {
    async 'GET /console/today'(request) {
      const issuer = issuerOf(ask, request);
      const refused = [['/invoices', { status: 'failed' }] as const, ['/receipts', { fiscal_status: 'rejected' }] as const];
      const both = (query: Record<string, string>) => [['/invoices', query] as const, ['/receipts', query] as const];
      const listed = (those: Listed) => documents(request, those);
      const sections: Record<string, Promise<TodaySection>> = {
        refused: listed({ kind: 'refused', action: 'fix', lists: refused }),
        in_doubt: listed({ kind: 'in_doubt', action: 'wait', lists: both({ fiscal_status: 'unknown' }) }),
        needs_review: listed({ kind: 'needs_review', action: 'resolve', lists: both({ fiscal_status: 'needs_review' }) }),
        overdue: issuer.then(({ time_zone: zone }) => listed(overdueIn(zone))),
        late: late(request),
        endpoints: endpoints(request),
        numbers_closed: issuer.then((found) => closedNumbers(request, found)),
        ending: ending(request),
      };
      const data = await Promise.all(Object.entries(sections).map(([kind, reading]) => orUnread(kind, reading)));
      return { data: data.filter(({ count }) => count !== 0) };
    },
  } satisfies Partial<ConsoleHandlers>;

  /** Not paid, and due before today where the issuer is: since the day after that day. */
  function overdueIn(zone: string): Listed {
    const yesterday = plusDays(dayIn(zone, clock.now()), -1);
    const query = { status: 'submitted', payment_status: 'unpaid,partial', due_to: yesterday };
    const sinceOf = ({ due_date: due, updated_at }: Document): string => (due ? iso(startOfDay(zone, plusDays(due, 1))) : updated_at);
    return { kind: 'overdue', action: 'record_payment', lists: [['/invoices', query]], sinceOf };
  }

  /** `fiscal.late` of documents that have no outcome, or had one lately, and those whose time ends soon. What waits longest becomes late first. */
  async function late(request: FastifyRequest): Promise<TodaySection> {
    // Full hours: what a filter with another time finds is counted anew, over all documents.
    const lately = iso(Math.floor((clock.now() - LATE_SHOWN_MS) / HOUR_MS) * HOUR_MS);
    const soon = Math.ceil((clock.now() + SOON_MS) / HOUR_MS) * HOUR_MS;
    const open = { fiscal_status: 'pending,unknown,needs_review', sort: 'created_at' };
    const registered = { fiscal_status: 'registered', created_from: lately };
    const ends = { ...open, fiscal_deadline_to: iso(soon), per_page: String(LATE_READ) };
    // The oldest end first. What was refused keeps its end, and is in a section of its own.
    const rows = new Map<string, ReturnType<typeof documentRow>>();
    let count = 0;
    for (const path of PATHS) {
      const ending = await listOf<Document>(ask, request, [path, ends]);
      for (const one of ending?.data ?? []) rows.set(one.id, documentRow(one, path, 'look', one.updated_at));
      count += ending?.meta.total ?? 0;
    }
    for (const path of PATHS)
      for (const one of [...(await lateIn(request, path, open, LATE_PAGES)), ...(await lateIn(request, path, registered, 1))]) {
        if (rows.has(one.id)) continue;
        rows.set(one.id, documentRow(one, path, 'look', one.updated_at));
        const end = one.fiscal?.deadline_at;
        if (end === undefined || millisOf(end) > soon) count += 1;
      }
    return section('late', [...rows.values()], count);
  }

  async function lateIn(request: FastifyRequest, path: string, query: Record<string, string>, pages: number): Promise<Document[]> {
    const found: Document[] = [];
    for (let page = 1; page <= pages; page += 1) {
      const list = await listOf<Document>(ask, request, [path, { ...query, page: String(page), per_page: String(LATE_READ) }]);
      const those = list?.data.filter(({ fiscal }) => fiscal?.late === true) ?? [];
      found.push(...those);
      if (!list || those.length === 0 || page * LATE_READ >= list.meta.total) break;
    }
    return found;
  }

  async function endpoints(request: FastifyRequest): Promise<TodaySection> {
    const list = await listOf<Endpoint>(ask, request, ['/webhooks', { per_page: '100' }]);
    const broken = list?.data.filter((one) => one.status === 'disabled' || one.health.status === 'failing') ?? [];
    const rows = broken.map((one): TodayRow => ({
      ...{ title: one.url.slice(0, LONGEST_TITLE), since: one.health.failing_since ?? one.updated_at, endpoint: { id: one.id } },
      next: { action: one.status === 'disabled' ? 'enable' : 'look', route: `/app/webhooks/${one.id}` },
    }));
    return section('endpoints', rows, rows.length);
  }

  async function ending(request: FastifyRequest): Promise<TodaySection> {
    const { account, env, permissions } = request.identity;
    const until = clock.now() + ENDS_WITHIN_MS;
    const rows: TodayRow[] = [];
    if (permits(permissions, 'api_keys:read'))
      for await (const key of store.keys.find({ account, env, deleted_at: null }, { limit: MOST_KEYS }))
        if (endsWithin(key, clock.now(), until)) rows.push(keyRow(key));
    const { status, body } = await ask<Certificate>(request, '/fiscal-credentials');
    if (status === 200 && !body.successor && millisOf(body.expires_at) <= until)
      rows.push({
        ...{ title: body.subject.slice(0, LONGEST_TITLE), since: body.expires_at, certificate: { id: body.subject.slice(0, 64) } },
        next: { action: 'replace', route: '/app/settings/authority' },
      });
    return section('ending', rows, rows.length);
  }
}

/** A section that a service does not answer has no count; it keeps no other one from being read. */
const orUnread = (kind: string, reading: Promise<TodaySection>): Promise<TodaySection> =>
  reading.catch((error: unknown) => {
    if (error instanceof DomainError && error.code === 'service_unavailable') return { kind, count: null, oldest: null, rows: [] };
    throw error;
  });

/** Series that take no numbers after a restore, which the operator ends; for who may read settings. */
function closedNumbers({ identity }: FastifyRequest, { setup, updated_at: since }: Issuer): TodaySection {
  const missing = permits(identity.permissions, 'settings:read') ? setup.steps.flatMap((step) => step.missing) : [];
  const rows = missing
    .filter(({ rule }) => rule === CLOSED_SERIES)
    .map(({ field }): TodayRow => ({ title: field, since, next: { action: 'wait', route: '/app/settings/issuer' } }));
  return section('numbers_closed', rows, rows.length);
}

const endsWithin = ({ expires_at: end }: ApiKey, now: number, until: number): boolean =>
  end !== null && millisOf(end) > now && millisOf(end) <= until;

const keyRow = (key: ApiKey): TodayRow => ({
  ...{ title: key.name, since: key.expires_at ?? key.updated_at, key: { id: key._id } },
  next: { action: 'rotate', route: `/app/settings/api-keys/${key._id}` },
});

const updated = ({ updated_at }: Document): string => updated_at;

/** By its number, and whom it is for where the member sees that. */
const documentRow = ({ id, number, customer }: Document, path: string, action: string, since: string): TodayRow => ({
  title: [number ?? id, customer?.name].filter(Boolean).join(' · ').slice(0, LONGEST_TITLE),
  ...{ since, document: { id }, next: { action, route: `/app${path}/${id}` } },
});

function section(kind: string, all: readonly TodayRow[], count: number): TodaySection {
  const rows = [...all].sort((a, b) => millisOf(a.since) - millisOf(b.since)).slice(0, SHOWN);
  return { kind, count, oldest: rows[0]?.since ?? null, rows };
}
