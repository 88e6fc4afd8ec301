import { decimal, ZERO, type Day, type Decimal } from '@svc/kernel';
import type { Range } from '../../sums/range.ts';
import { balancesIn, type Balance } from '../balances.ts';
import { isSelected } from '../reading.ts';
import type { Reading } from '../report.ts';
import { duesOn, issuedPieces, type Due } from '../summed/issued.ts';

/** An invoice of which something is due on a day; below 0 it is owed back. */
export interface DueItem {
  document: string;
  number: string;
  issued_on: Day;
  due_on: Day;
  customer_id: string | null;
  customer_name: string | null;
  currency: string;
  /** What was to be paid of it. */
  payable: Decimal;
  due: Decimal;
}

/** Before every issue date. */
const FIRST_DAY: Day = '0001-01-01';

/** As of the day of the question, whatever its period, in the order of issue dates. `range`: of issue dates; all by default. */
export async function* dueItems(reading: Reading, range?: Range): AsyncGenerator<DueItem> {
  const all = { ...reading, from: FIRST_DAY, to: reading.as_of };
  const pieces = range ? [range] : issuedPieces(all, (block) => duesOn(reading.as_of, block));
  for await (const piece of pieces) {
    if ('texts' in piece) yield* itemsIn(piece.texts, reading);
    else for await (const balance of balancesIn(all, piece)) if (!balance.due.eq(ZERO)) yield itemOf(balance);
  }
}

function* itemsIn(texts: ReadonlyMap<string, string>, reading: Reading): Generator<DueItem> {
  const dues = texts
    .values()
    .flatMap((text) => JSON.parse(text) as Due[])
    .toArray();
  for (const [, document, number, issued_on, customer_id, customer_name, currency, due_on, payable, steps] of dues.sort(
    ([a], [b]) => a - b,
  )) {
    const due = steps.findLast(([day]) => day <= reading.as_of)?.[1] ?? '0';
    if (due === '0' || !isSelected({ kind: 'invoice', currency }, reading)) continue;
    yield { document, number, issued_on, due_on, customer_id, customer_name, currency, payable: decimal(payable), due: decimal(due) };
  }
}

function itemOf({ registered, due }: Balance): DueItem {
  const { document, number, issued_on, customer_id, currency, figures } = registered;
  const { customer_name, due_on = issued_on, payable } = figures;
  return { document, number, issued_on, due_on, customer_id, customer_name, currency, payable: decimal(payable), due };
}
