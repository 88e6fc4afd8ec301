import { decimal, type Decimal, ZERO, type Day } from '@svc/kernel';
import type { Posting, Postings } from '../postings/posting.ts';
import type { Range } from '../sums/range.ts';
import type { CountedPosting } from './counted-posting.ts';
import { historiesIn, isKnown, isSelected, periodIn } from './reading.ts';
import type { Reading } from './report.ts';

/** What of a registered document is paid and due. */
export interface Balance {
  registered: CountedPosting;
  paid: Decimal;
  /** Below 0 is owed back. Nothing is due of a credit note, which lowers what is due of its invoice, of a receipt, and of what is void. */
  due: Decimal;
}

/** Without what credit notes lower it by. */
type Own = Balance & { isInvoice: boolean };

/** What a credit note, or its void, lowers an invoice by, from a day on. */
export interface Credit {
  day: Day;
  amount: Decimal;
  recorded_at: string;
  stored: number;
}

/** Documents whose credit notes are read at once. */
const AT_ONCE = 200;

/** As of the day of the question, of each document of the range that counts. */
export async function* balancesIn(reading: Reading, range: Range = periodIn(reading)): AsyncGenerator<Balance> {
  let batch: Own[] = [];
  for await (const history of historiesIn(reading, range)) {
    const own = isSelected(history[0], reading) ? ownBalance(history) : undefined;
    if (own) batch.push(own);
    if (batch.length < AT_ONCE) continue;
    yield* lessCredits(reading, batch);
    batch = [];
  }
  yield* lessCredits(reading, batch);
}

/** Undefined where it does not count. */
export function ownBalance(history: readonly Posting[]): Own | undefined {
  const sum = createOwnBalance();
  for (const posting of history) sum.add(posting);
  return sum.balance();
}

/** The same of the postings that were added so far. */
export function createOwnBalance() {
  let registered: CountedPosting | undefined;
  let paid = ZERO;
  let isVoid = false;
  return {
    add(posting: Posting): void {
      if (posting.change === 'registered' && posting.figures !== undefined) registered ??= posting as CountedPosting;
      if (posting.change === 'voided') isVoid = true;
      paid = paid.plus(paidBy(posting));
    },
    balance(): Own | undefined {
      if (!registered) return undefined;
      const payable = decimal(registered.figures.payable);
      if (registered.kind === 'receipt') return { registered, paid: isVoid ? ZERO : payable, due: ZERO, isInvoice: false };
      const isOwed = !isVoid && registered.lowers === undefined;
      return { registered, paid, due: isOwed ? payable.minus(paid) : ZERO, isInvoice: isOwed };
    },
  };
}

const paidBy = ({ change, paid = '0' }: Posting): Decimal =>
  change === 'paid' ? decimal(paid) : change === 'reversed' ? ZERO.minus(paid) : ZERO;

async function* lessCredits(reading: Reading, batch: readonly Own[]): AsyncGenerator<Balance> {
  const invoices = batch.filter(({ isInvoice }) => isInvoice).map(({ registered }) => registered);
  const credits = await creditsOf(reading.ledger.postings, invoices);
  const counts = (credit: Credit): boolean => credit.day <= reading.as_of && isKnown(credit, reading);
  for (const { registered, paid, due, isInvoice } of batch) {
    const own = isInvoice ? (credits.get(registered.document) ?? []).filter(counts) : [];
    yield { registered, paid, due: own.reduce((sum, { amount }) => sum.minus(amount), due) };
  }
}

/** Credits by the invoice that they lower, of documents of one account and environment. */
export async function creditsOf(postings: Postings, documents: readonly Posting[]): Promise<Map<string, Credit[]>> {
  const credits = new Map<string, Credit[]>();
  const [first] = documents;
  if (!first) return credits;
  const { account, env } = first;
  const ids = documents.map(({ document }) => document);
  for await (const { lowers, figures, day, recorded_at, stored } of postings.find({ account, env, lowers: { $in: ids } })) {
    if (lowers === undefined || !figures) continue;
    const amount = figures.documents === 1 ? decimal(figures.payable) : ZERO.minus(figures.payable);
    const credit = { day, amount, recorded_at, stored };
    const own = credits.get(lowers);
    if (own) own.push(credit);
    else credits.set(lowers, [credit]);
  }
  return credits;
}
