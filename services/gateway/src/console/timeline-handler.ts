import { roleTable } from '@svc/contracts/console/roles';
import type { AuditEntryResource, TimelineEntry } from '@svc/contracts/console/resources';
import { iso, millisOf, notFound, uidOf } from '@svc/kernel';
import { listEnvelope, permits } from '@svc/service';
import type { Names } from '../actors/actor-names.ts';
import { sliceOf } from '../page-of.ts';
import { roleLacks } from '../principals/session/refusals.ts';
import { allRows, type Ask, lastRows } from './ask.ts';
import { deliveriesOf, type DocumentDelivery } from './document-deliveries.ts';
import type { ConsoleHandlers } from './handlers.ts';
import { sessionOf } from './session-of.ts';

const MOST_HISTORY = 1_000;
const MOST_ATTEMPTS = 200;

interface History {
  at: string;
  type: string;
  actor: { type: 'api_key' | 'member' | 'system'; id: string | null; name?: string };
  request_id: string | null;
  changes: Record<string, unknown>;
}

interface TimelineParts {
  ask: Ask;
  publicUrl: string;
  /** Entries of the audit about a document. */
  auditOf(account: string, target: string): Promise<AuditEntryResource[]>;
  namesOf(account: string, ids: readonly string[]): Promise<Names>;
}

/**
 * What happened to a document: its history, attempts, deliveries, payments and, for who sees it, audit in one order. Each list is bounded; of the history, which may be
 * long, only the lines are read that may be on the page.
 */
export function timelineHandler({ ask, publicUrl, auditOf, namesOf }: TimelineParts) {
  return {
    async 'GET /console/documents/{id}/timeline'(request) {
      const { id } = request.params;
      const kind = uidOf('inv', id) !== undefined ? 'invoice' : uidOf('rcp', id) !== undefined ? 'receipt' : undefined;
      if (kind === undefined) throw notFound('document');
      const permission = `${kind}s:read`;
      if (!permits(request.identity.permissions, permission)) throw roleLacks(permission);
      const path = `/${kind}s/${id}`;
      const document = await ask<{ created_at: string }>(request, path);
      if (document.status !== 200) throw notFound(kind);
      const least = Math.min(request.query.page * request.query.per_page, MOST_HISTORY);
      const [{ rows: history, total: ofHistory }, attempts, payments, deliveries, audited] = await Promise.all([
        lastRows(ask, request, `${path}/events`, { least, size: 20, keep: withoutLong }),
        allRows(ask, request, `${path}/attempts`, { most: MOST_ATTEMPTS, size: 100, keep: (attempt: Attempt) => attempt }),
        kind === 'invoice'
          ? allRows(ask, request, `${path}/payments`, { most: MOST_HISTORY, size: 100, keep: (payment: Payment) => payment })
          : [],
        deliveriesOf(ask, request, { id, since: document.body.created_at }),
        roleTable[sessionOf(request).member.role].administers ? auditOf(request.identity.account, id) : [],
      ]);
      const entries = [
        // Of the same time the last one is first, as in the whole list.
        ...history.map(historyEntry).toReversed(),
        ...attempts.map(attemptEntry),
        ...payments.map((payment) => paymentEntry(payment, history)),
        ...deliveries.map(deliveryEntry),
        ...audited.map(auditEntry),
      ].sort((a, b) => millisOf(b.at) - millisOf(a.at));
      const total = entries.length - history.length + Math.min(ofHistory, MOST_HISTORY);
      const data = await withKeys(request.identity.account, sliceOf(entries, request.query));
      return listEnvelope({ publicUrl, request, total, data });
    },
  } satisfies Partial<ConsoleHandlers>;

  /** A history names members; keys are named here, as they are called now. */
  async function withKeys(account: string, entries: readonly TimelineEntry[]): Promise<TimelineEntry[]> {
    const ids = new Set(entries.flatMap(({ actor }) => (actor?.type === 'api_key' ? (actor.id ?? []) : [])));
    const names = await namesOf(account, [...ids]);
    return entries.map((entry) => {
      const name = names.get(entry.actor?.id ?? '');
      return entry.actor && name !== undefined ? { ...entry, actor: { ...entry.actor, name } } : entry;
    });
  }
}

interface Attempt {
  at: string;
  kind: string;
  outcome: string | null;
}
interface Payment {
  id: string;
  created_at?: string;
  paid_at: string;
  amount: number;
  currency: string;
}

const words = (name: string): string => name.replaceAll('_', ' ');
const actorOf = ({ actor }: History): TimelineEntry['actor'] => ({ type: actor.type, id: actor.id, name: actor.name ?? null });

/** Bytes of the JSON of a value. */
const LONGEST = 16 * 1024;

/** A line of the history; of a longer value, such as all items, it says how long it is. */
const withoutLong = (entry: History): History => ({ ...entry, changes: Object.fromEntries(Object.entries(entry.changes).map(shortened)) });

const shortened = ([field, value]: [string, unknown]): [string, unknown] => {
  const bytes = Buffer.byteLength(JSON.stringify(value) ?? '');
  return [field, bytes > LONGEST ? `(${bytes} bytes)` : value];
};

const historyEntry = (entry: History): TimelineEntry => ({
  ...{ at: entry.at, kind: 'history', title: words(entry.type), actor: actorOf(entry), detail: entry, request_id: entry.request_id },
});

const attemptEntry = (entry: Attempt): TimelineEntry => ({
  ...{
    at: entry.at,
    kind: 'attempt',
    title: `${words(entry.kind)}: ${words(entry.outcome ?? 'under way')}`,
    actor: null,
    detail: entry,
    request_id: null,
  },
});

const auditEntry = (entry: AuditEntryResource): TimelineEntry => ({
  ...{ at: entry.at, kind: 'audit', title: entry.action, actor: entry.actor, detail: entry, request_id: entry.request_id },
});

const deliveryEntry = (entry: DocumentDelivery): TimelineEntry => ({
  ...{
    at: entry.created_at,
    kind: 'delivery',
    title: `${entry.event_type}: ${entry.status}`,
    actor: null,
    detail: entry,
    request_id: null,
  },
});

/** Who recorded it stands in the history: the entry of the same time. */
function paymentEntry(payment: Payment, history: readonly History[]): TimelineEntry {
  const at = payment.created_at ?? iso(millisOf(`${payment.paid_at}T00:00:00.000Z`));
  const by = history.find((entry) => entry.at === at && entry.type.startsWith('payment')) ?? history.find((entry) => entry.at === at);
  const title = `payment of ${payment.amount} ${payment.currency}`;
  return { at, kind: 'payment', title, actor: by ? actorOf(by) : null, detail: payment, request_id: by?.request_id ?? null };
}
