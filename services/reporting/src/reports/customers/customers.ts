import { ZERO } from '@svc/kernel';
import { balancesIn } from '../balances.ts';
import { citing, customerLabels, signed, type CountedPosting } from '../counting.ts';
import { countedIn } from '../reading.ts';
import { CITED, type Report } from '../report.ts';
import { createTally, type Part } from '../tally.ts';

export const customers: Report = {
  name: 'customers',
  description: 'What each customer bought in the period, and what of it is paid and due.',
  groupings: [],
  columns: () => ({ of: ['customer_id', 'customer_name', 'currency'], sums: ['documents', 'total', 'paid', 'due'], cited: CITED }),
  async run(reading) {
    const tally = createTally(reading);
    for await (const posting of countedIn(reading)) {
      const total = signed(posting.figures, posting.figures.total);
      tally.add(
        [{ ...rowOf(posting), amounts: { total, paid: ZERO, due: ZERO }, cites: citing(posting, total) }],
        posting.figures.documents,
      );
    }
    for await (const { registered, paid, due } of balancesIn(reading)) tally.addAmounts({ ...rowOf(registered), amounts: { paid, due } });
    return tally.result();
  },
};

const rowOf = ({ customer_id, currency, figures }: CountedPosting): Pick<Part, 'key' | 'currency' | 'labels'> => ({
  key: { customer_id },
  currency,
  labels: customerLabels(figures),
});
