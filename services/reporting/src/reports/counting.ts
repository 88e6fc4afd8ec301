import type { Grouping } from '@svc/contracts/report/query';
import { decimal, ZERO, type Decimal } from '@svc/kernel';
import type { Figures, Posting } from '../postings/posting.ts';
import type { CountedPosting } from './counted-posting.ts';
import type { KeyValue } from './order.ts';
import { countedIn } from './reading.ts';
import type { Repeated } from './repeated.ts';
import type { Reading, Report } from './report.ts';
import { countedPieces, type View } from './summed/counted.ts';
import type { Part } from './part.ts';
import { createTally } from './tally.ts';

/** A report over documents that were registered or voided in its period. */
interface Counting extends Omit<Report, 'run'> {
  /** What a document adds to which rows: at most one part per key. */
  parts(posting: CountedPosting, grouping: Grouping | undefined): Part[];
  /** The grouping without one in the request. */
  usual?: Grouping;
  /** Groupings by longer times, of which the rows of another one are part. */
  longer?: Partial<Record<Grouping, { of: Grouping; key(key: KeyValue[]): KeyValue[] }>>;
  /** Amounts that do not count in the totals. */
  repeated?: Repeated;
}

export type CountingReport = Report & {
  /** The rows that are summed for each block of postings. */
  views: View[];
};

const viewOf = (report: string, grouping: Grouping | undefined): string => `${report}.${grouping ?? ''}`;

export function counting({ parts, usual, longer = {}, repeated, ...report }: Counting): CountingReport {
  const all = usual === undefined ? [undefined, ...report.groupings] : report.groupings;
  const views = all.filter((grouping) => grouping === undefined || !longer[grouping]);
  return {
    ...report,
    views: views.map((grouping) => ({ name: viewOf(report.name, grouping), parts: (posting) => parts(posting, grouping) })),
    async *cited(reading, range) {
      for await (const posting of countedIn(reading, range)) yield { day: posting.day, parts: parts(posting, reading.grouping ?? usual) };
    },
    async run(reading: Reading) {
      const tally = createTally({ ...reading, repeated });
      const { grouping = usual } = reading;
      const time = grouping && longer[grouping];
      for await (const piece of countedPieces(reading, viewOf(report.name, time ? time.of : grouping))) {
        if ('posting' in piece) tally.add(parts(piece.posting, grouping), piece.posting.figures.documents);
        else {
          tally.addRows(piece.rows, time && { key: time.key });
          tally.addTotals(piece.totals);
        }
        await tally.fit(reading.turn);
      }
      return tally.result(reading);
    },
  };
}

/** An amount of a document as it counts: a credit note's is negative, a void's has the other sign. */
export const signed = ({ sign }: Pick<Figures, 'sign'>, amount: string | Decimal): Decimal =>
  sign === 1 ? decimal(amount) : ZERO.minus(amount);

/** The document as rows cite it, with its part. */
export const citing = ({ document, number }: Posting, amount: Decimal): Part['cites'] => ({ id: document, number, amount });

/** What rows that name a customer show of it. */
export const customerLabels = ({ customer_name }: Figures) => ({ customer_name });
