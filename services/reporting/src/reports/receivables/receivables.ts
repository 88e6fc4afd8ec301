import { millisOf, ZERO, type Day } from '@svc/kernel';
import { balancesIn, type Balance } from '../balances.ts';
import { citing, customerLabels } from '../counting.ts';
import { CITED, type Report } from '../report.ts';
import { createTally, type Part } from '../tally.ts';

/** Before every issue date. */
const FIRST_DAY: Day = '0001-01-01';

const BUCKETS = ['not_due', 'd1_30', 'd31_60', 'd61_90', 'over_90'] as const;

export const receivables: Report = {
  name: 'receivables',
  description: 'What customers owe on a day, by how late it is.',
  groupings: [],
  columns: () => ({ of: ['customer_id', 'customer_name', 'currency'], sums: [...BUCKETS, 'total'], cited: CITED }),
  async run(reading) {
    const tally = createTally({ counts: false, cites: reading.cites });
    for await (const balance of balancesIn({ ...reading, from: FIRST_DAY, to: reading.as_of }))
      if (!balance.due.eq(ZERO)) tally.add([partOf(balance, reading.as_of)]);
    return tally.result();
  },
};

function partOf({ registered, due }: Balance, asOf: Day): Part {
  const { customer_id, currency, figures } = registered;
  const bucket = bucketOf(daysBetween(figures.due_on ?? registered.issued_on, asOf));
  const amounts = { not_due: ZERO, d1_30: ZERO, d31_60: ZERO, d61_90: ZERO, over_90: ZERO, [bucket]: due, total: due };
  return { key: { customer_id }, currency, labels: customerLabels(figures), amounts, cites: citing(registered, due) };
}

const daysBetween = (from: Day, to: Day): number => (millisOf(to) - millisOf(from)) / 86_400_000;

function bucketOf(late: number): (typeof BUCKETS)[number] {
  if (late <= 0) return 'not_due';
  if (late <= 30) return 'd1_30';
  if (late <= 60) return 'd31_60';
  return late <= 90 ? 'd61_90' : 'over_90';
}
