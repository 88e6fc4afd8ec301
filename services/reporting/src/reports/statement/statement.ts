import type { Reading, Report, Result } from '../report.ts';
import { compare } from '../order.ts';
import { dueItems, type DueItem } from '../receivables/due-items.ts';
import type { Part } from '../part.ts';
import { createTally } from '../tally.ts';

/** The open invoices of the customer of the question, a row each; not in the catalogue. */
export const statement: Pick<Report, 'columns' | 'run'> = {
  columns: () => ({
    of: ['due_date', 'issue_date', 'number', 'document_id', 'customer_name', 'currency'],
    sums: ['total', 'due'],
    cited: [],
  }),
  run: openItems,
};

/** Rows held for a page, besides twice those up to its end: with fewer they would be sorted more often. */
const SPARE = 2_000;

/** The rows of the page in their order, out of `total`, and the customer's name on the newest of them all. */
export async function openItems(reading: Reading): Promise<Result & { customer_name: string | null }> {
  const { page, turn, customer } = reading;
  const window = page ? { most: SPARE + 2 * (page.skip + page.limit) } : reading.window;
  const tally = createTally({ window, counts: false });
  let newest: DueItem | undefined;
  let total = 0;
  for await (const item of dueItems(reading)) {
    if (item.customer_id !== customer) continue;
    total += 1;
    if (newest === undefined || isNewer(item, newest)) newest = item;
    tally.add([partOf(item)]);
    await tally.fit(turn);
  }
  return { ...(await tally.result(reading)), total, customer_name: newest?.customer_name ?? null };
}

const isNewer = (item: DueItem, than: DueItem): boolean =>
  (compare(item.issued_on, than.issued_on) || compare(item.due_on, than.due_on)) >= 0;

function partOf({ document, number, issued_on, due_on, customer_name, currency, payable, due }: DueItem): Part {
  return {
    key: { due_date: due_on, issue_date: issued_on, number, document_id: document },
    labels: { customer_name },
    currency,
    amounts: { total: payable, due },
    cites: { id: document, number, amount: due },
  };
}
