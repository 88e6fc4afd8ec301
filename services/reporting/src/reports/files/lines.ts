import type { Reading, Report } from '../report.ts';
import { citedLines } from './cited-lines.ts';

/** Lines of documents that one file holds at once, some 100 bytes each. */
const MOST_HELD = 100_000;

export interface Lines {
  columns: readonly string[];
  lines: AsyncIterable<Record<string, unknown>> | Iterable<Record<string, unknown>>;
}

type FileReport = Pick<Report, 'columns' | 'run' | 'cited' | 'lines'>;

/** The lines of a report's file: its rows without totals, or a line for each document that they cite. Throws what `report.run` throws. */
export async function linesOf(report: FileReport, reading: Reading, most = MOST_HELD): Promise<Lines> {
  const { of, sums, cited } = report.columns(reading.grouping);
  const { cited: documents, lines } = report;
  if (lines) return { columns: of, lines: lines(reading) };
  const { rows } = await report.run({ ...reading, cites: false });
  if (reading.cites && documents)
    return { columns: [...of, ...cited], lines: citedLines({ ...report, cited: documents }, reading, rows, most) };
  return { columns: [...of, ...sums], lines: rows.values().map((row) => row.fields()) };
}
