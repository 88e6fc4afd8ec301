import { decimal } from '@svc/kernel';
import type { Counted } from '../../facts/counted.ts';
import type { Part, Report } from '../report.ts';

export const customers: Report = {
  name: 'customers',
  description: 'What each customer bought, paid and owes of it.',
  groupings: [],
  parts({ fact }: Counted): Part[] {
    const total = decimal(fact.total);
    const amounts = { total, paid: decimal(fact.paid), due: decimal(fact.due) };
    return [{ key: { customer_id: fact.customer_id }, amounts, referenceAmount: total }];
  },
};
