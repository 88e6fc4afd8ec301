import { createHash } from 'node:crypto';
import { badQuery } from '../bad-query.ts';
import { csvLine } from '../csv.ts';
import { historiesIn, isSelected } from '../reading.ts';
import type { Report } from '../report.ts';
import { numberIn, type TakenNumber } from './taken-number.ts';
import { numberLines } from './number-lines.ts';
import { findGaps } from './find-gaps.ts';

/** Numbers of one certificate. */
const MOST_NUMBERS = 250_000;

const numberingColumns = ['series', 'series_key', 'number', 'seq', 'document_id', 'issued_at', 'fate'] as const;

/**
 * Every number that was taken for a document of the period, and what became of it as of the day. Gaps are of whole counts, whatever kinds and currencies the
 * rows are of: documents of several kinds may share one.
 */
export const numbering: Report = {
  name: 'numbering',
  description: 'Every number taken, what became of its document, and whether a number is missing.',
  groupings: [],
  columns: () => ({ of: numberingColumns, sums: [], cited: [] }),
  lines: numberLines,
  async run(reading) {
    const taken: TakenNumber[] = [];
    for await (const history of historiesIn(reading)) {
      const number = numberIn(history, isSelected(history[0], reading));
      if (number) taken.push(number);
      if (taken.length > MOST_NUMBERS)
        throw badQuery('from', `The report would have more than ${MOST_NUMBERS} numbers. Ask for a shorter period.`);
    }
    taken.sort(inOrder);
    const rows = taken.filter((number) => number.isSelected).map(({ isSelected: _, ...row }) => row);
    const gaps = await findGaps(reading, taken);
    return {
      rows: rows.map((row) => ({ id: row.document_id, fields: () => ({ ...row }), references: [] })),
      totals: [],
      certificate: { complete: gaps.length === 0, gaps: gaps.slice(0, MOST_GAPS), sha256: digestOf(rows) },
    };
  },
};

const MOST_GAPS = 1_000;

const inOrder = (a: TakenNumber, b: TakenNumber): number =>
  a.series_key === b.series_key ? a.seq - b.seq : a.series_key < b.series_key ? -1 : 1;

/** SHA-256 of the data lines of the CSV: UTF-8, each with a line feed, without a byte order mark. */
function digestOf(rows: readonly Omit<TakenNumber, 'isSelected'>[]): string {
  const hash = createHash('sha256');
  for (const row of rows) hash.update(`${csvLine(numberingColumns, row)}\n`);
  return hash.digest('hex');
}
