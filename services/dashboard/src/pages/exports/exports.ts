import type { Resource } from '../../api/types.ts';

/** What an export may have of a list, by the names in the address; a list leads here with its own. */
export const filterNames = [
  ...['types', 'statuses', 'payment_statuses', 'fiscal_statuses', 'customer_id', 'q', 'from', 'to'],
] as const satisfies readonly string[];
export type ExportFilters = Partial<Record<string, string>>;

export const kinds = ['pdf', 'ubl', 'csv', 'jsonl'] as const;
export interface ExportValues {
  kind: (typeof kinds)[number];
  from: string;
  to: string;
}

const lists = ['types', 'statuses', 'payment_statuses', 'fiscal_statuses'] as const;

/** What is asked for: the days of the form and the filters of the address, which the interface judges. */
export function exportOf({ kind, from, to }: ExportValues, filters: ExportFilters): Resource<'CreateExport'> {
  const of = lists.flatMap((name) => (filters[name] ? [[name, filters[name].split(',')]] : []));
  const { customer_id: customer, q } = filters;
  return { kind, from, to, ...Object.fromEntries(of), ...(customer && { customer_id: customer }), ...(q && { q }) };
}
