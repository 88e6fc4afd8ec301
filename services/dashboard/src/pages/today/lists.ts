/** A list that has what a section counts. */
export interface SectionList {
  of: 'invoices' | 'receipts' | 'webhooks';
  search: Record<string, string>;
}

const DAY_MS = 86_400_000;

/** The whole lists behind a section, of which its rows are the oldest: together they have as many as the section counts. []: there is no such list. `today`: where the issuer is. */
export function listsOf(kind: string, today: string): SectionList[] {
  const both = (fiscal_status: string): SectionList[] => [
    { of: 'invoices', search: { fiscal_status } },
    { of: 'receipts', search: { fiscal_status } },
  ];
  switch (kind) {
    case 'refused':
      return [
        { of: 'invoices', search: { status: 'failed' } },
        { of: 'receipts', search: { fiscal_status: 'rejected' } },
      ];
    case 'in_doubt':
      return both('unknown');
    case 'needs_review':
      return both('needs_review');
    case 'overdue': {
      const yesterday = new Date(Date.parse(today) - DAY_MS).toISOString().slice(0, 10);
      return [{ of: 'invoices', search: { status: 'submitted', payment_status: 'unpaid,partial', due_to: yesterday } }];
    }
    case 'endpoints':
      return [{ of: 'webhooks', search: {} }];
    default:
      return [];
  }
}
