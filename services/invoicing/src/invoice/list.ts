import type { InvoicesQuery } from '@svc/contracts/invoice/queries';
import type { Filter } from '@svc/document-store';
import { rowOf, type Row, type Projection } from '@svc/event-store';
import { documentFilter, documentIndexes } from '../document/list.ts';
import { isPaid, publicStatus } from './domain/actions.ts';
import { evolve } from './domain/evolve.ts';
import { isNumbered, type InvoiceState } from './domain/state.ts';
import { invoiceEvents } from './domain/events.ts';

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

export const invoicesProjection: Projection<InvoiceRow> = {
  name: 'invoices_v2',
  category: 'invoice',
  ordinals: true,
  indexes: [...documentIndexes, { fields: ['account', 'env', 'payment_status', 'series', 'currency', 'type', 'corrects', 'ordinal'] }],
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

const EQUAL = ['status', 'type', 'customer_id', 'number', 'currency', 'series', 'payment_status', 'corrects'] as const;

export const invoiceFilter = (query: InvoicesQuery, timeZone: string): Filter => documentFilter(query, EQUAL, timeZone);
