import type { Resource } from '../../api/types.ts';
import type { Decimal } from '../../format/numbers.ts';

export type Report = Resource<'Report'>;
/** Rows and totals of all reports, by the names of their fields. */
export type Row = Readonly<Record<string, unknown>> & { cited?: Resource<'CitedDocument'>[]; currency?: string };

export type ReportName = 'sales' | 'tax' | 'receivables' | 'customers' | 'products' | 'submissions' | 'numbering';

interface Shape {
  /** What a row is about, in its first column. */
  about: 'key' | 'tax' | 'customer' | 'product' | 'number';
  /** Amounts of the row's currency. */
  amounts: readonly string[];
  /** Counts and seconds. */
  counts: readonly string[];
  groupings: readonly Resource<'Grouping'>[];
  /** The figure that is plotted; null: none is. */
  plot: string | null;
  /** Whether it is of a day rather than of a period. */
  isAsOf: boolean;
}

/** What each report shows: api of reports, one entry each. */
export const shapes: Record<ReportName, Shape> = {
  sales: {
    ...{ about: 'key', amounts: ['subtotal', 'discount_total', 'tax_total', 'total'], counts: ['documents'], plot: 'total', isAsOf: false },
    groupings: ['day', 'week', 'month', 'customer', 'product', 'payment_method', 'device', 'operator', 'unit'],
  },
  tax: {
    ...{ about: 'tax', amounts: ['base', 'tax', 'retained'], counts: ['documents'], groupings: ['customer'], plot: 'tax', isAsOf: false },
  },
  receivables: {
    ...{ about: 'customer', amounts: ['not_due', 'd1_30', 'd31_60', 'd61_90', 'over_90', 'total'], counts: [], groupings: [] },
    ...{ plot: 'total', isAsOf: true },
  },
  customers: {
    ...{ about: 'customer', amounts: ['total', 'paid', 'due'], counts: ['documents'], groupings: [], plot: 'total', isAsOf: false },
  },
  products: { about: 'product', amounts: ['net'], counts: ['quantity', 'documents'], groupings: [], plot: 'net', isAsOf: false },
  submissions: {
    ...{ about: 'key', amounts: [], plot: 'registered', isAsOf: false, groupings: ['day', 'authority'] },
    counts: ['submitted', 'registered', 'rejected', 'unknown', 'late', 'seconds_p50', 'seconds_p95'],
  },
  numbering: { about: 'number', amounts: [], counts: [], groupings: [], plot: null, isAsOf: false },
};

export const reportNames = Object.keys(shapes) as ReportName[];
export const isReportName = (name: string | undefined): name is ReportName => reportNames.includes(name as ReportName);

export const filterNames = ['from', 'to', 'as_of', 'known_at', 'kind', 'group_by', 'cite'] as const;
export type ReportFilterName = (typeof filterNames)[number];
type ReportFilters = Partial<Record<ReportFilterName, string>>;

/** What is asked of the interface, which judges the values: an address may have been typed. */
export const queryOf = (name: ReportName, { known_at: known, kind, group_by: group, cite, ...days }: ReportFilters) => ({
  ...days,
  ...(known && { known_at: instantOf(known) }),
  ...(kind && { kind: kind as Resource<'ReportKind'> }),
  ...(group && shapes[name].groupings.includes(group as Resource<'Grouping'>) && { group_by: group as Resource<'Grouping'> }),
  ...(cite && { cite: cite === 'true' }),
});

/** A field for a time gives the reader's local one. What is no time is the interface's to refuse. */
function instantOf(text: string): string {
  const at = new Date(text);
  return Number.isNaN(at.getTime()) ? text : at.toISOString();
}

/** A figure of a row: amounts and quantities are decimals, counts are numbers. */
export function figureOf(row: Row, field: string): Decimal | null {
  const value = row[field];
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' ? value : null;
}
export const textOf = (row: Row, field: string): string | null => (typeof row[field] === 'string' ? row[field] : null);
