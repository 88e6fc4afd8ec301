import type { ReceiptsQuery } from '@svc/contracts/receipt/queries';
import type { Filter } from '@svc/document-store';
import { rowOf, type Row, type Projection } from '@svc/event-store';
import { documentFilter, documentIndexes } from '../document/list.ts';
import { evolve } from './domain/evolve.ts';
import { isNumbered, type NumberedReceipt } from './domain/state.ts';
import { receiptEvents } from './domain/events.ts';

export interface ReceiptRow extends Row<NumberedReceipt> {
  status: string;
  customer_id: string | null;
  number: string;
  currency: string;
  series: string;
  issue_date: string;
  /** To sort by; the exact one is in the state. */
  total: number;
  /** Receipts are of one type and correct nothing: both filters are taken, and find what they say. */
  type: 'standard';
  corrects: null;
}

/** A receipt gets its row when it has its number. */
export const receiptsProjection: Projection<ReceiptRow> = {
  name: 'receipts_v1',
  category: 'receipt',
  ordinals: true,
  indexes: [...documentIndexes, { fields: ['account', 'env', 'series', 'currency', 'type', 'corrects', 'ordinal'] }],
  evolve(row, recorded) {
    const state = evolve(row?.state ?? null, receiptEvents.decode(recorded));
    if (!isNumbered(state)) return undefined;
    const { customer_id, currency, series } = state.content;
    return {
      ...rowOf(recorded),
      created_at: state.created_at,
      status: state.status,
      customer_id,
      number: state.issue.number,
      currency,
      series,
      issue_date: state.issue.issue_date,
      total: Number(state.totals.total),
      type: 'standard',
      corrects: null,
      state,
    };
  },
};

const EQUAL = ['status', 'type', 'customer_id', 'number', 'currency', 'series', 'corrects'] as const;

export const receiptFilter = (query: ReceiptsQuery, timeZone: string): Filter => documentFilter(query, EQUAL, timeZone);
