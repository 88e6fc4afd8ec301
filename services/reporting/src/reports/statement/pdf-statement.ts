import type { PdfStatement, StatementPart } from '@svc/document-files/pdf/statement';
import { ZERO, type Decimal } from '@svc/kernel';
import { badQuery } from '../bad-query.ts';
import { exactNumber } from '../exact-number.ts';
import { compare } from '../order.ts';
import { dueItems, type DueItem } from '../receivables/due-items.ts';
import { amountsOf } from '../receivables/receivables.ts';
import type { Reading } from '../report.ts';

/** Items of one PDF: some 100 pages. Those that wait for the worker are held as JSON, each as large as the largest document at most. */
const MOST_ITEMS = 5_000;
const MOST_CHARACTERS = 600_000;

/** The statement of the customer of the question for the worker that draws it. Throws invalid_request where it is too large. */
export async function pdfStatement(reading: Reading): Promise<PdfStatement> {
  const { as_of, customer = '', parties, ledger } = reading;
  const open: DueItem[] = [];
  let characters = 0;
  for await (const item of dueItems(reading)) {
    if (item.customer_id !== customer) continue;
    open.push(item);
    characters += item.number.length + 100;
    if (open.length > MOST_ITEMS || characters > MOST_CHARACTERS)
      throw badQuery('format', `A PDF has at most ${MOST_ITEMS} items: ask for csv, for one currency or another day.`);
  }
  const byCurrency = [...Map.groupBy(open, ({ currency }) => currency)].sort(([a], [b]) => compare(a, b));
  const [own, of] = await Promise.all(
    [parties?.issuer, parties?.customer].map(async (copy) => (copy ? ledger.copies.get(copy) : undefined)),
  );
  return {
    livemode: reading.env === 'live',
    as_of,
    issuer: own?.issuer ?? null,
    customer: of?.customer ?? null,
    parts: byCurrency.map(([currency, items]) => partOf(currency, items, as_of)),
  };
}

function partOf(currency: string, items: DueItem[], asOf: string): StatementPart {
  const ages = items.map(({ due, due_on }) => amountsOf(due, due_on, asOf));
  const sum = (amounts: readonly Decimal[]): number => exactNumber(amounts.reduce((all, amount) => all.plus(amount), ZERO));
  const of = (age: keyof (typeof ages)[number]): number => sum(ages.map((amounts) => amounts[age]));
  return {
    currency,
    payable: sum(items.map(({ payable }) => payable)),
    ...{
      not_due: of('not_due'),
      d1_30: of('d1_30'),
      d31_60: of('d31_60'),
      d61_90: of('d61_90'),
      over_90: of('over_90'),
      total: of('total'),
    },
    items: items.toSorted(inOrder).map(({ number, issued_on, due_on, payable, due }) => ({
      ...{ number, issue_date: issued_on, due_date: due_on },
      ...{ total: exactNumber(payable), due: exactNumber(due) },
    })),
  };
}

/** As in the list: by due date, issue date and number. */
const inOrder = (a: DueItem, b: DueItem): number =>
  compare(a.due_on, b.due_on) || compare(a.issued_on, b.issued_on) || compare(a.number, b.number) || compare(a.document, b.document);
