import type { Grouping } from '@svc/contracts/report/query';
import { decimal, type Day } from '@svc/kernel';
import { citing, counting, customerLabels, signed } from '../counting.ts';
import type { CountedPosting } from '../counted-posting.ts';
import { CITED } from '../report.ts';
import type { Part } from '../part.ts';
import { byPaymentMethod } from './by-payment-method.ts';
import { byProduct } from './by-product.ts';
import { isoWeek } from './iso-week.ts';

/** What a document is in one row for. */
const keys: Partial<Record<Grouping, (posting: CountedPosting) => string | null>> = {
  day: ({ day }) => day,
  week: ({ day }) => isoWeek(day),
  month: ({ day }) => day.slice(0, 7),
  customer: ({ customer_id }) => customer_id,
  device: ({ figures }) => figures.till?.device ?? null,
  operator: ({ figures }) => figures.till?.operator ?? null,
  unit: ({ figures }) => figures.till?.unit ?? null,
};

export const sales = counting({
  name: 'sales',
  description: 'What was sold, by day, ISO week, month, customer, product, payment method, device, operator or unit.',
  groupings: ['day', 'week', 'month', 'customer', 'product', 'payment_method', 'device', 'operator', 'unit'],
  columns: (grouping) => ({
    of: ['key', ...(grouping === 'customer' ? ['customer_name'] : []), 'currency'],
    sums: ['documents', 'subtotal', 'discount_total', 'tax_total', 'total'],
    cited: CITED,
  }),
  usual: 'day',
  longer: {
    week: { of: 'day', key: ([day]) => [isoWeek(day as Day)] },
    month: { of: 'day', key: ([day]) => [(day as Day).slice(0, 7)] },
  },
  parts(posting, grouping = 'day'): Part[] {
    if (grouping === 'product') return byProduct(posting);
    if (grouping === 'payment_method') return byPaymentMethod(posting);
    const part = whole(keys[grouping]?.(posting) ?? null, posting);
    return [grouping === 'customer' ? { ...part, labels: customerLabels(posting.figures) } : part];
  },
});

function whole(key: string | null, posting: CountedPosting): Part {
  const { figures, currency } = posting;
  const of = (amount: string) => signed(figures, decimal(amount));
  const total = of(figures.total);
  return {
    key: { key },
    currency,
    amounts: { subtotal: of(figures.subtotal), discount_total: of(figures.discount_total), tax_total: of(figures.tax_total), total },
    cites: citing(posting, total),
  };
}
