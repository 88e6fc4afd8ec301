import type { Grouping } from '@svc/contracts/report/query';
import { decimal, type Day } from '@svc/kernel';
import type { Counted } from '../../facts/counted.ts';
import type { Fact } from '../../facts/fact.ts';
import type { Part, Report } from '../report.ts';
import { isoWeek } from './iso-week.ts';
import { byProduct } from './by-product.ts';

const periods: Partial<Record<Grouping, (day: Day) => string>> = {
  day: (day) => day,
  week: isoWeek,
  month: (day) => day.slice(0, 7),
};

export const sales: Report = {
  name: 'sales',
  description: 'What was sold, by day, ISO week, month, customer or product.',
  groupings: ['day', 'week', 'month', 'customer', 'product'],
  parts({ fact, day }: Counted, grouping: Grouping = 'day'): Part[] {
    if (grouping === 'product') return byProduct(fact);
    const key = periods[grouping]?.(day) ?? fact.customer_id;
    return [whole(key, fact)];
  },
};

function whole(key: string | null, fact: Fact): Part {
  const total = decimal(fact.total);
  return {
    key: { key },
    amounts: {
      subtotal: decimal(fact.subtotal),
      discount_total: decimal(fact.discount_total),
      tax_total: decimal(fact.tax_total),
      total,
    },
    referenceAmount: total,
  };
}
