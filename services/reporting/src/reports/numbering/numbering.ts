import { createHash } from 'node:crypto';
import { csvCell } from '@svc/service';
import { badQuery } from '../bad-query.ts';
import { isOnPage, type Report, type Row } from '../report.ts';
import { findGaps } from './find-gaps.ts';
import { addNumber, type TakenRange } from './gaps.ts';
import type { TakenNumber } from './taken-number.ts';
import { takenNumbers } from './taken-numbers.ts';

/** Numbers of one certificate, which takes seconds: some microseconds each. */
const MOST_NUMBERS = 2_000_000;
const MOST_GAPS = 1_000;

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
  async *lines(reading) {
    for await (const numbers of takenNumbers(reading)) for (const { isSelected, ...row } of numbers) if (isSelected) yield row;
  },
  async run(reading) {
    const hash = createHash('sha256');
    const lineOf = lineWriter();
    const taken: TakenRange[] = [];
    const rows: Row[] = [];
    let total = 0;
    for await (const numbers of takenNumbers(reading)) {
      let lines = '';
      for (const number of numbers) {
        addNumber(taken, number);
        if (!number.isSelected) continue;
        lines += lineOf(number);
        if (isOnPage(total, reading)) rows.push(rowOf(number));
        total += 1;
      }
      hash.update(lines);
      if (total > MOST_NUMBERS)
        throw badQuery('from', `The report would have more than ${MOST_NUMBERS} numbers. Ask for a shorter period.`);
    }
    const gaps = await findGaps(reading, taken);
    const certificate = { complete: gaps.length === 0, gaps: gaps.slice(0, MOST_GAPS), sha256: hash.digest('hex') };
    return { rows, total, totals: [], certificate };
  },
};

const rowOf = ({ isSelected: _, ...row }: TakenNumber): Row => ({ id: row.document_id, fields: () => ({ ...row }), references: [] });

/** Lines as `csvLine` writes them, with a line feed: the hash is of them in UTF-8, without a byte order mark. Ids, times and fates need no quotes. */
function lineWriter(): (number: TakenNumber) => string {
  let [last, cells] = [{ series: '', series_key: '' }, ','];
  return (taken) => {
    const { number, seq, document_id, issued_at, fate } = taken;
    if (taken.series !== last.series || taken.series_key !== last.series_key) {
      last = taken;
      cells = `${csvCell(taken.series)},${csvCell(taken.series_key)}`;
    }
    return `${cells},${csvCell(number)},${seq},${document_id},${issued_at},${fate}\n`;
  };
}
