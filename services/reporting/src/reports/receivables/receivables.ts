import { millisOf, ZERO, type Day, type Decimal } from '@svc/kernel';
import { CITED, type Report } from '../report.ts';
import type { Part } from '../part.ts';
import { createTally } from '../tally.ts';
import { dueItems, type DueItem } from './due-items.ts';

const BUCKETS = ['not_due', 'd1_30', 'd31_60', 'd61_90', 'over_90'] as const;

export const receivables: Report = {
  name: 'receivables',
  description: 'What customers owe on a day, by how late it is.',
  groupings: [],
  columns: () => ({ of: ['customer_id', 'customer_name', 'currency'], sums: [...BUCKETS, 'total'], cited: CITED }),
  async *cited(reading, range) {
    for await (const item of dueItems(reading, range)) yield { day: item.issued_on, parts: [partOf(item, reading.as_of)] };
  },
  async run(reading) {
    const tally = createTally({ ...reading, counts: false });
    for await (const item of dueItems(reading)) {
      tally.add([partOf(item, reading.as_of)]);
      await tally.fit(reading.turn);
    }
    return tally.result(reading);
  },
};

/** A row has the name on the last of its documents. */
function partOf({ customer_id, customer_name, currency, document: id, number, due_on, due }: DueItem, asOf: Day): Part {
  const amounts = amountsOf(due, due_on, asOf);
  return { key: { customer_id }, currency, labels: { customer_name }, amounts, cites: { id, number, amount: due } };
}

/** What is due of an item by how late it is on a day, and in all. */
export const amountsOf = (due: Decimal, dueOn: Day, asOf: Day): Ages => ({
  ...NOTHING,
  [bucketOf(daysBetween(dueOn, asOf))]: due,
  total: due,
});
type Ages = Record<(typeof BUCKETS)[number] | 'total', Decimal>;
const NOTHING = { not_due: ZERO, d1_30: ZERO, d31_60: ZERO, d61_90: ZERO, over_90: ZERO };

const daysBetween = (from: Day, to: Day): number => (millisOf(to) - millisOf(from)) / 86_400_000;

function bucketOf(late: number): (typeof BUCKETS)[number] {
  if (late <= 0) return 'not_due';
  if (late <= 30) return 'd1_30';
  if (late <= 60) return 'd31_60';
  return late <= 90 ? 'd61_90' : 'over_90';
}
