import type { Grouping } from '@svc/contracts/report/query';
import { decimal, ZERO, type Decimal } from '@svc/kernel';
import type { Figures, Posting } from '../postings/posting.ts';
import { countedIn } from './reading.ts';
import type { Reading, Report } from './report.ts';
import { createTally, type Part } from './tally.ts';

/** A document that was registered or voided. */
export type CountedPosting = Posting & { figures: Figures };

/** A report over documents that were registered or voided in its period. */
interface Counting extends Omit<Report, 'run'> {
  /** What a document adds to which rows: at most one part per key. */
  parts(posting: CountedPosting, grouping: Grouping | undefined): Part[];
}

export const counting = ({ parts, ...report }: Counting): Report => ({
  ...report,
  async run(reading: Reading) {
    const tally = createTally(reading);
    for await (const posting of countedIn(reading)) tally.add(parts(posting, reading.grouping), posting.figures.documents);
    return tally.result();
  },
});

/** An amount of a document as it counts: a credit note's is negative, a void's has the other sign. */
export const signed = ({ sign }: Pick<Figures, 'sign'>, amount: string | Decimal): Decimal =>
  sign === 1 ? decimal(amount) : ZERO.minus(amount);

/** The document as rows cite it, with its part. */
export const citing = ({ document, number }: Posting, amount: Decimal): Part['cites'] => ({ id: document, number, amount });

/** What rows that name a customer show of it. */
export const customerLabels = ({ customer_name }: Figures) => ({ customer_name });
