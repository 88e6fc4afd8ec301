import { t, named } from '../../texts/t.ts';

/** The filters of the list, by their names in the address. */
export const filterNames = [
  'status',
  'q',
  'payment_status',
  'fiscal_status',
  'type',
  'customer_id',
  'issue_from',
  'issue_to',
  'due_from',
  'due_to',
  'sort',
] as const;
export type InvoiceFilterName = (typeof filterNames)[number];

const payments = ['unpaid', 'partial', 'paid'] as const;
export const types = ['standard', 'credit_note', 'corrective'] as const;
export const sorts = ['-issue_date', 'issue_date', '-number', 'number', '-total', 'total', 'created_at'] as const;

/** The address parameters of an export of what the list shows. Receipts are of another list. */
export const exportSearch = (filters: Partial<Record<InvoiceFilterName, string>>): Record<string, string | undefined> => {
  const { type, status, payment_status, fiscal_status, customer_id, q, issue_from: from, issue_to: to, due_from, due_to } = filters;
  const lists = { types: type ?? types.join(','), statuses: status, payment_statuses: payment_status, fiscal_statuses: fiscal_status };
  return { ...lists, customer_id, q, from, to, due_from, due_to };
};

/** Tabs by status: `voided` has those that are being voided, too. */
export const tabValues = ['', 'draft', 'submitting', 'submitted', 'failed', 'voiding,voided'] as const;

/** How many invoices a tab has: `''` all of them. */
export function countOf(tab: string, counts: Record<string, unknown> | undefined): number | undefined {
  if (!counts) return undefined;
  const names = tab === '' ? Object.keys(counts) : tab.split(',');
  return names.reduce((sum, name) => sum + Number(counts[name] ?? 0), 0);
}

export const optionsOf = (prefix: string, values: readonly string[]) => values.map((value) => ({ value, label: named(prefix, value) }));

/** Payment: what is open is unpaid and partly paid. */
export const paymentOptions = () => [{ value: 'unpaid,partial', label: t('invoices.open') }, ...optionsOf('payment', payments)];
