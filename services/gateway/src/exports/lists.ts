import { exportStatuses, type ExportType } from '@svc/contracts/console/jobs';
import { documentTypes } from '@svc/contracts/document/vocabulary';
import { invoiceStatuses } from '@svc/contracts/invoice/vocabulary';
import { receiptStatuses, receiptTypes } from '@svc/contracts/receipt/vocabulary';
import type { Export } from './export.ts';

/** A list of the interface that an export reads, with its filters besides the days. */
export interface List {
  kind: 'invoice' | 'receipt';
  path: string;
  query: Record<string, string>;
}

/** A filter by the values that a list knows; undefined: it knows none of those that are asked for. */
const among = (known: readonly string[], asked: readonly string[]): string | undefined => {
  const values = asked.filter((value) => known.includes(value));
  return values.length === 0 ? undefined : values.join(',');
};

/** The lists, invoices first. */
export function listsOf({ kind, asked }: Pick<Export, 'kind' | 'asked'>): List[] {
  const { types, customer_id, statuses, payment_statuses, fiscal_statuses, currencies, series, numbers, corrects, q } = asked;
  const { due_from, due_to, created_from, created_to } = asked;
  const both = {
    ...(customer_id !== undefined && { customer_id }),
    ...(fiscal_statuses && { fiscal_status: fiscal_statuses.join(',') }),
    ...(currencies && { currency: currencies.join(',') }),
    ...(series && { series: series.join(',') }),
    ...(numbers && { number: numbers.join(',') }),
    ...(corrects && { corrects: corrects.join(',') }),
    ...(created_from !== undefined && { created_from }),
    ...(created_to !== undefined && { created_to }),
    ...(q !== undefined && { q }),
  };
  const of = (
    one: List['kind'],
    known: { types: readonly ExportType[]; statuses: readonly string[] },
    own: Record<string, string> = {},
  ): List[] => {
    const type = types && among(known.types, types);
    const status = among(known.statuses, statuses ?? exportStatuses);
    if ((types && type === undefined) || status === undefined) return [];
    return [{ kind: one, path: `/${one}s`, query: { ...both, ...own, status, ...(type !== undefined && { type }) } }];
  };
  // Receipts show no payment status, are never due later, and have no UBL.
  const ofInvoices = {
    ...(payment_statuses && { payment_status: payment_statuses.join(',') }),
    ...(due_from !== undefined && { due_from }),
    ...(due_to !== undefined && { due_to }),
  };
  const invoices = of('invoice', { types: documentTypes, statuses: invoiceStatuses }, ofInvoices);
  const withReceipts = Object.keys(ofInvoices).length === 0 && kind !== 'ubl';
  return withReceipts ? [...invoices, ...of('receipt', { types: receiptTypes, statuses: receiptStatuses })] : invoices;
}
