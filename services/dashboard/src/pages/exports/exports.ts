import type { Resource } from '../../api/types.ts';

/** What an export may have of a list, by the names in the address; a list leads here with its own. */
export const filterNames = [
  ...['types', 'statuses', 'payment_statuses', 'fiscal_statuses', 'customer_id', 'q', 'from', 'to', 'due_from', 'due_to'],
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
  const texts = ['customer_id', 'q', 'due_from', 'due_to'].flatMap((name) => (filters[name] ? [[name, filters[name]]] : []));
  return { kind, from, to, ...Object.fromEntries([...of, ...texts]) };
}

/** Before any document. */
const EARLIEST = '2000-01-01';

/** The days that the form begins with: those of the list, which has documents of any day where it names none; without a list the month so far. */
export function daysOf({ from, to, ...others }: ExportFilters, today: string): Pick<ExportValues, 'from' | 'to'> {
  const isOfList = filterNames.some((name) => others[name]);
  return { from: from ?? (isOfList ? EARLIEST : `${today.slice(0, 8)}01`), to: to ?? today };
}
