import type { InvoicesQuery } from '@svc/contracts/invoice/queries';
import type { Filter, Index, Sort } from '@svc/document-store';
import { rowOf, type Row, type Projection } from '@svc/event-store';
import { type Identity, createdRange } from '@svc/service';
import type { InvoicingContext } from '../context.ts';
import { isPaid, publicStatus } from './domain/actions.ts';
import { evolve } from './domain/evolve.ts';
import { isNumbered, type InvoiceState } from './domain/state.ts';
import { invoiceEvents } from './domain/upcast.ts';

export interface InvoiceRow extends Row<InvoiceState> {
  status: string;
  type: string;
  customer_id: string;
  number: string | null;
  currency: string;
  series: string;
  payment_status: string;
  corrects: string | null;
  issue_date: string | null;
  /** To sort by; the exact one is in the state. */
  total: number;
}

const tenant = ['account', 'env'];

/** What documents of either kind are found and sorted by, each in the order of creation. */
export const documentIndexes: Index[] = ['status', 'customer_id', 'number', 'issue_date', 'created_at', 'total'].map((field) => ({
  fields: [...tenant, field, 'ordinal'],
}));

export const invoicesProjection: Projection<InvoiceRow> = {
  name: 'invoices_v2',
  category: 'invoice',
  ordinals: true,
  indexes: [...documentIndexes, { fields: [...tenant, 'payment_status', 'series', 'currency', 'type', 'corrects', 'ordinal'] }],
  evolve(row, recorded) {
    const state = evolve(row?.state ?? null, invoiceEvents.decode(recorded));
    if (state === null) return undefined;
    const { type, customer_id, currency, series, corrects, issue_date } = state.content;
    return {
      ...rowOf(recorded),
      created_at: state.created_at,
      status: publicStatus(state),
      type,
      customer_id,
      number: isNumbered(state) ? state.issue.number : null,
      currency,
      series,
      payment_status: isPaid(state) ? 'paid' : 'unpaid',
      corrects,
      issue_date,
      total: Number(state.totals.total),
      state,
    };
  },
};

/** What a document's list can be narrowed by. */
export type DocumentFilters = Pick<InvoicesQuery, 'created_from' | 'created_to' | 'issue_from' | 'issue_to'>;

/** Both ends are inclusive. `timeZone`: whose days `created_…` mean. */
export function dateFilter({ issue_from: from, issue_to: to, ...created }: DocumentFilters, timeZone: string): Filter {
  const issued = { ...(from === undefined ? {} : { $gte: from }), ...(to === undefined ? {} : { $lte: to }) };
  return { ...createdRange(created, timeZone), ...(Object.keys(issued).length === 0 ? {} : { issue_date: issued }) };
}

/** The issuer's zone, where the filters name days of it. */
export async function zoneFor(
  { created_from, created_to }: DocumentFilters,
  { issuers }: InvoicingContext,
  { account, env }: Identity,
): Promise<string> {
  return created_from === undefined && created_to === undefined ? 'UTC' : (await issuers.of(account, env)).time_zone;
}

const EQUAL = ['status', 'type', 'customer_id', 'number', 'currency', 'series', 'payment_status', 'corrects'] as const;

export const invoiceFilter = (query: InvoicesQuery, timeZone: string): Filter => ({
  ...Object.fromEntries(EQUAL.flatMap((field) => (query[field] === undefined ? [] : [[field, query[field]]]))),
  ...dateFilter(query, timeZone),
});

/** Ties in the order of creation. */
export const documentOrders: Record<string, Sort> = Object.fromEntries(
  ['issue_date', 'number', 'total'].flatMap((field): [string, Sort][] => [
    [field, { [field]: 1, ordinal: 1 }],
    [`-${field}`, { [field]: -1, ordinal: -1 }],
  ]),
);
