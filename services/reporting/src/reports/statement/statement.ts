import type { Report } from '../report.ts';
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
  async run(reading) {
    const tally = createTally({ ...reading, counts: false });
    for await (const item of dueItems(reading)) {
      if (item.customer_id !== reading.customer) continue;
      tally.add([partOf(item)]);
      await tally.fit(reading.turn);
    }
    return tally.result(reading);
  },
};

function partOf({ document, number, issued_on, due_on, customer_name, currency, payable, due }: DueItem): Part {
  return {
    key: { due_date: due_on, issue_date: issued_on, number, document_id: document },
    labels: { customer_name },
    currency,
    amounts: { total: payable, due },
    cites: { id: document, number, amount: due },
  };
}
