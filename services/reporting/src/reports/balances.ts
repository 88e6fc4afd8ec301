import { decimal, type Decimal, ZERO } from '@svc/kernel';
import type { Posting } from '../postings/posting.ts';
import type { CountedPosting } from './counting.ts';
import { historiesIn, isKnown, isSelected } from './reading.ts';
import type { Reading } from './report.ts';

/** What of a registered document is paid and due. */
export interface Balance {
  registered: CountedPosting;
  paid: Decimal;
  /** Below 0 is owed back. Nothing is due of a credit note, which lowers what is due of its invoice, of a receipt, and of what is void. */
  due: Decimal;
}

type Own = Balance & { isInvoice: boolean };

/** Documents whose credit notes are read at once. */
const AT_ONCE = 200;

/** As of the day of the question, of each document that was issued in the period and counts. */
export async function* balancesIn(reading: Reading): AsyncGenerator<Balance> {
  let batch: Own[] = [];
  for await (const history of historiesIn(reading)) {
    const own = isSelected(history[0], reading) ? ownBalance(history) : undefined;
    if (own) batch.push(own);
    if (batch.length < AT_ONCE) continue;
    yield* lessCredits(reading, batch);
    batch = [];
  }
  yield* lessCredits(reading, batch);
}

/** Without what credit notes lower it by. */
function ownBalance(history: readonly Posting[]): Own | undefined {
  const registered = history.find((posting): posting is CountedPosting => posting.change === 'registered' && posting.figures !== undefined);
  if (!registered) return undefined;
  const payable = decimal(registered.figures.payable);
  const isVoid = history.some(({ change }) => change === 'voided');
  if (registered.kind === 'receipt') return { registered, paid: isVoid ? ZERO : payable, due: ZERO, isInvoice: false };
  const paid = history.reduce((sum, posting) => sum.plus(paidBy(posting)), ZERO);
  const isOwed = !isVoid && registered.lowers === undefined;
  return { registered, paid, due: isOwed ? payable.minus(paid) : ZERO, isInvoice: isOwed };
}

const paidBy = ({ change, paid = '0' }: Posting): Decimal =>
  change === 'paid' ? decimal(paid) : change === 'reversed' ? ZERO.minus(paid) : ZERO;

async function* lessCredits(reading: Reading, batch: readonly Own[]): AsyncGenerator<Balance> {
  const { account, env, as_of, ledger } = reading;
  const credits = new Map<string, Decimal>();
  const invoices = batch.filter(({ isInvoice }) => isInvoice).map(({ registered }) => registered.document);
  if (invoices.length > 0)
    for await (const { lowers, figures, day, recorded_at } of ledger.postings.find({ account, env, lowers: { $in: invoices } })) {
      if (lowers === undefined || !figures || day > as_of || !isKnown({ recorded_at }, reading)) continue;
      const before = credits.get(lowers) ?? ZERO;
      credits.set(lowers, figures.documents === 1 ? before.plus(figures.payable) : before.minus(figures.payable));
    }
  for (const { registered, paid, due, isInvoice } of batch)
    yield { registered, paid, due: isInvoice ? due.minus(credits.get(registered.document) ?? ZERO) : due };
}
