import { decimal, ZERO } from '@svc/kernel';
import { balancesIn } from '../balances.ts';
import { citing, customerLabels, signed } from '../counting.ts';
import type { CountedPosting } from '../counted-posting.ts';
import { countedIn, isSelected } from '../reading.ts';
import { CITED, type Reading, type Report } from '../report.ts';
import { countedPieces } from '../summed/counted.ts';
import { balancesOn, issuedPieces, type BalanceSum } from '../summed/issued.ts';
import type { Part } from '../part.ts';
import { createTally, type Sum, type Tally } from '../tally.ts';

export const customers: Report = {
  name: 'customers',
  description: 'What each customer bought in the period, and what of it is paid and due.',
  groupings: [],
  columns: () => ({ of: ['customer_id', 'customer_name', 'currency'], sums: ['documents', 'total', 'paid', 'due'], cited: CITED }),
  async *cited(reading, range) {
    for await (const posting of countedIn(reading, range)) yield { day: posting.day, parts: [partOf(posting)] };
  },
  async run(reading) {
    const tally = createTally(reading);
    await addTotals(tally, reading);
    await addBalances(tally, reading);
    return tally.result();
  },
};

function partOf(posting: CountedPosting): Part {
  const total = signed(posting.figures, posting.figures.total);
  return { ...rowOf(posting), amounts: { total, paid: ZERO, due: ZERO }, cites: citing(posting, total) };
}

async function addTotals(tally: Tally, reading: Reading): Promise<void> {
  for await (const piece of countedPieces(reading, 'sales.customer')) {
    if ('posting' in piece) {
      tally.add([partOf(piece.posting)], piece.posting.figures.documents);
      continue;
    }
    for (const { key, amounts, ...row } of piece.rows)
      tally.addRow({ ...row, key: { customer_id: key['key'] ?? null }, amounts: withoutBalance(amounts) });
    for (const { amounts, ...total } of piece.totals) tally.addTotal({ ...total, amounts: withoutBalance(amounts) });
  }
}

const withoutBalance = ({ total = null }: Sum['amounts']): Sum['amounts'] => ({ total, paid: ZERO, due: ZERO });

async function addBalances(tally: Tally, reading: Reading): Promise<void> {
  const isPlain = reading.cites || reading.known_at !== null;
  for await (const piece of issuedPieces(reading, { names: (block) => balancesOn(reading.as_of, block), isPlain })) {
    if ('texts' in piece) for (const text of piece.texts.values()) addSums(tally, JSON.parse(text) as BalanceSum[], reading);
    else
      for await (const { registered, paid, due } of balancesIn(reading, piece))
        tally.addAmounts({ ...rowOf(registered), amounts: { paid, due } });
  }
}

function addSums(tally: Tally, sums: readonly BalanceSum[], reading: Reading): void {
  for (const [kind, customer_id, currency, customer_name, changes] of sums) {
    if (!isSelected({ kind, currency }, reading)) continue;
    const until = changes.filter(([day]) => day <= reading.as_of);
    if (until.length === 0) continue;
    const sumOf = (at: 1 | 2) => until.reduce((sum, change) => sum.plus(decimal(change[at])), ZERO);
    tally.addAmounts({ key: { customer_id }, currency, labels: { customer_name }, amounts: { paid: sumOf(1), due: sumOf(2) } });
  }
}

const rowOf = ({ customer_id, currency, figures }: CountedPosting): Pick<Part, 'key' | 'currency' | 'labels'> => ({
  key: { customer_id },
  currency,
  labels: customerLabels(figures),
});
