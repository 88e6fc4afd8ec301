/** A list that has what a section counts. */
export interface SectionList {
  to: string;
  search: Record<string, string>;
}

const DAY_MS = 86_400_000;

/** The whole list behind a section, of which its rows are the oldest: it has as many as the section counts. Undefined: there is no such list. */
export function listOf(kind: string, now: Date = new Date()): SectionList | undefined {
  const invoices = (search: Record<string, string>): SectionList => ({ to: '/app/invoices', search });
  switch (kind) {
    case 'refused':
      return invoices({ status: 'failed' });
    case 'in_doubt':
      return invoices({ fiscal_status: 'unknown' });
    case 'needs_review':
      return invoices({ fiscal_status: 'needs_review' });
    case 'overdue': {
      const yesterday = new Date(now.getTime() - DAY_MS).toISOString().slice(0, 10);
      return invoices({ status: 'submitted', payment_status: 'unpaid,partial', due_to: yesterday });
    }
    case 'endpoints':
      return { to: '/app/webhooks', search: {} };
    default:
      return undefined;
  }
}
