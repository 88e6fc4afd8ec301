import { ZERO, type Day } from '@svc/kernel';
import type { Range } from '../../sums/range.ts';
import { balancesIn, type Balance } from '../balances.ts';
import { citing, customerLabels, signed } from '../counting.ts';
import type { CountedPosting } from '../counted-posting.ts';
import { countedIn, isSelected } from '../reading.ts';
import { CITED, type Cited, type Reading, type Report } from '../report.ts';
import { countedPieces } from '../summed/counted.ts';
import { balancesOn } from '../summed/balance-sums.ts';
import { issuedPieces } from '../summed/issued.ts';
import type { Table } from '../summed/table.ts';
import type { Part } from '../part.ts';
import { createTally, type Tally } from '../tally.ts';

const FIGURES = ['documents', 'total', 'paid', 'due'];

export const customers: Report = {
  name: 'customers',
  description: 'What each customer bought in the period, and what of it is paid and due.',
  groupings: [],
  columns: () => ({ of: ['customer_id', 'customer_name', 'currency'], sums: FIGURES, cited: [...CITED, 'cited_paid', 'cited_due'] }),
  cited: (reading, range) => byDay(voidsIn(reading, range), registeredIn(reading, range)),
  async run(reading) {
    const tally = createTally({ ...reading, columns: ['total', 'paid', 'due'] });
    await addTotals(tally, reading);
    await addBalances(tally, reading);
    return tally.result(reading);
  },
};

function partOf(posting: CountedPosting, { paid, due }: Pick<Balance, 'paid' | 'due'> = { paid: ZERO, due: ZERO }): Part {
  const total = signed(posting.figures, posting.figures.total);
  return { ...rowOf(posting), amounts: { total, paid, due }, cites: { ...citing(posting, total), beside: { paid, due } } };
}

async function* voidsIn(reading: Reading, range?: Range): AsyncGenerator<Cited> {
  for await (const posting of countedIn(reading, range))
    if (posting.change === 'voided') yield { day: posting.day, parts: [partOf(posting)] };
}

async function* registeredIn(reading: Reading, range?: Range): AsyncGenerator<Cited> {
  for await (const { registered, ...balance } of balancesIn(reading, range))
    yield { day: registered.day, parts: [partOf(registered, balance)] };
}

/** Two sequences in the order of days as one. */
async function* byDay(one: AsyncGenerator<Cited>, other: AsyncGenerator<Cited>): AsyncGenerator<Cited> {
  let [a, b] = [await one.next(), await other.next()];
  while (!a.done || !b.done) {
    if (!a.done && (b.done || a.value.day <= b.value.day)) {
      yield a.value;
      a = await one.next();
    } else if (!b.done) {
      yield b.value;
      b = await other.next();
    }
  }
}

async function addTotals(tally: Tally, reading: Reading): Promise<void> {
  for await (const piece of countedPieces(reading, 'sales.customer')) {
    if ('posting' in piece) {
      tally.add([partOf(piece.posting)], piece.posting.figures.documents);
    } else {
      tally.addRows(piece.rows, { keys: ['customer_id'], columns: ['total'] });
      tally.addTotals(piece.totals, { columns: ['total'] });
    }
    await tally.fit(reading.turn);
  }
}

async function addBalances(tally: Tally, reading: Reading): Promise<void> {
  for await (const piece of issuedPieces(reading, (block) => balancesOn(reading.as_of, block))) {
    if ('texts' in piece) for (const text of piece.texts.values()) addSums(tally, JSON.parse(text) as Table[], reading);
    else
      for await (const { registered, paid, due } of balancesIn(reading, piece)) {
        tally.addAmounts({ ...rowOf(registered), amounts: { paid, due } });
        await tally.fit(reading.turn);
      }
    await tally.fit(reading.turn);
  }
}

/** Balances, or their changes by day. */
function addSums(tally: Tally, tables: readonly Table[], reading: Reading): void {
  const own = tables.filter((table) => isSelected(table, reading));
  const counts = ({ keys: { day } }: Table, row: number): boolean => day === undefined || (day[row] as Day) <= reading.as_of;
  tally.addRows(own, { counts, keys: ['customer_id'], by: ({ keys }) => Object.values(keys).slice(0, 1) });
  tally.addTotals(own, { counts });
}

const rowOf = ({ customer_id, currency, figures }: CountedPosting): Pick<Part, 'key' | 'currency' | 'labels'> => ({
  key: { customer_id },
  currency,
  labels: customerLabels(figures),
});
