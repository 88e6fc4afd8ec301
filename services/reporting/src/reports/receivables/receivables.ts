import { decimal, millisOf, ZERO, type Day, type Decimal } from '@svc/kernel';
import { balancesIn, type Balance } from '../balances.ts';
import { citing, customerLabels } from '../counting.ts';
import { isSelected } from '../reading.ts';
import { CITED, type Reading, type Report } from '../report.ts';
import { duesOn, issuedPieces, type Due } from '../summed/issued.ts';
import { createTally, type Part, type Tally } from '../tally.ts';

/** Before every issue date. */
const FIRST_DAY: Day = '0001-01-01';

const BUCKETS = ['not_due', 'd1_30', 'd31_60', 'd61_90', 'over_90'] as const;

export const receivables: Report = {
  name: 'receivables',
  description: 'What customers owe on a day, by how late it is.',
  groupings: [],
  columns: () => ({ of: ['customer_id', 'customer_name', 'currency'], sums: [...BUCKETS, 'total'], cited: CITED }),
  async *cited(reading, range) {
    for await (const balance of balancesIn(untilThen(reading), range))
      if (!balance.due.eq(ZERO)) yield { day: balance.registered.issued_on, parts: [partOf(balance, reading.as_of)] };
  },
  async run(reading) {
    const tally = createTally({ counts: false, cites: reading.cites });
    const all = untilThen(reading);
    const isPlain = reading.cites || reading.known_at !== null;
    for await (const piece of issuedPieces(all, { names: (block) => duesOn(reading.as_of, block), isPlain })) {
      if ('texts' in piece) addDues(tally, piece.texts, reading);
      else for await (const balance of balancesIn(all, piece)) if (!balance.due.eq(ZERO)) tally.add([partOf(balance, reading.as_of)]);
    }
    return tally.result();
  },
};

/** All documents there have been until the day. */
const untilThen = (reading: Reading): Reading => ({ ...reading, from: FIRST_DAY, to: reading.as_of });

/** In the order of the documents: a row has the name on the last of them. */
function addDues(tally: Tally, texts: ReadonlyMap<string, string>, reading: Reading): void {
  const dues = texts
    .values()
    .flatMap((text) => JSON.parse(text) as Due[])
    .toArray();
  for (const [, , customer_id, customer_name, currency, dueOn, steps] of dues.sort(([a], [b]) => a - b)) {
    const due = steps.findLast(([day]) => day <= reading.as_of)?.[1] ?? '0';
    if (due === '0' || !isSelected({ kind: 'invoice', currency }, reading)) continue;
    const amounts = amountsOf(decimal(due), dueOn, reading.as_of);
    tally.addAmounts({ key: { customer_id }, currency, labels: { customer_name }, amounts });
  }
}

function partOf({ registered, due }: Balance, asOf: Day): Part {
  const { customer_id, currency, figures } = registered;
  const amounts = amountsOf(due, figures.due_on ?? registered.issued_on, asOf);
  return { key: { customer_id }, currency, labels: customerLabels(figures), amounts, cites: citing(registered, due) };
}

const amountsOf = (due: Decimal, dueOn: Day, asOf: Day): Record<string, Decimal> => ({
  ...NOTHING,
  [bucketOf(daysBetween(dueOn, asOf))]: due,
  total: due,
});
const NOTHING = { not_due: ZERO, d1_30: ZERO, d31_60: ZERO, d61_90: ZERO, over_90: ZERO };

const daysBetween = (from: Day, to: Day): number => (millisOf(to) - millisOf(from)) / 86_400_000;

function bucketOf(late: number): (typeof BUCKETS)[number] {
  if (late <= 0) return 'not_due';
  if (late <= 30) return 'd1_30';
  if (late <= 60) return 'd31_60';
  return late <= 90 ? 'd61_90' : 'over_90';
}
