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
export const registrations = ['pending', 'unknown', 'registered', 'rejected', 'needs_review', 'cancelled'] as const;
export const types = ['standard', 'credit_note', 'corrective'] as const;
export const sorts = ['-issue_date', 'issue_date', '-number', 'number', '-total', 'total', 'created_at'] as const;

/** The address parameters of an export of what the list shows. Receipts are of another list. */
export const exportSearch = (filters: Partial<Record<InvoiceFilterName, string>>): Record<string, string | undefined> => ({
  ...{ types: filters.type ?? types.join(','), statuses: filters.status, payment_statuses: filters.payment_status },
  ...{
    fiscal_statuses: filters.fiscal_status,
    customer_id: filters.customer_id,
    q: filters.q,
    from: filters.issue_from,
    to: filters.issue_to,
  },
});

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
