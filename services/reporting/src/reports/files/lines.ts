import type { Reading, Report, Row } from '../report.ts';
import type { RowPosition } from '../window.ts';
import { citedLines } from './cited-lines.ts';

/** What one file holds at a time. */
export interface Held {
  /** Rows, some KiB each while they are summed: a report with more of them is read again for each so many. */
  rows: number;
  /** Lines of cited documents, some 100 bytes each. */
  lines: number;
}
const HELD: Held = { rows: 10_000, lines: 100_000 };

type Line = Record<string, unknown>;

export interface Lines {
  columns: readonly string[];
  lines: AsyncIterable<Line>;
}

type FileReport = Pick<Report, 'columns' | 'run' | 'cited' | 'lines'>;

/** The lines of a report's file: its rows without totals, or a line for each document that they cite. Throws what `report.run` throws for the first of them. */
export async function linesOf(report: FileReport, reading: Reading, held = HELD): Promise<Lines> {
  const { of, sums, cited } = report.columns(reading.grouping);
  const { cited: documents, lines } = report;
  if (lines) return { columns: of, lines: lines(reading) };
  const parts = partsFrom([await partOf(report, reading, held)], (after) => partOf(report, reading, held, after));
  if (reading.cites && documents)
    return { columns: [...of, ...cited], lines: citing({ ...report, cited: documents }, reading, parts, held) };
  return { columns: [...of, ...sums], lines: fieldsOf(parts) };
}

/** Rows in their order, and the last of them, where there are rows behind it. */
type RowsPart = Pick<Awaited<ReturnType<Report['run']>>, 'rows' | 'last'>;

const partOf = ({ run }: FileReport, reading: Reading, { rows: most }: Held, after?: RowPosition): Promise<RowsPart> =>
  run({ ...reading, window: { after, most } });

/** A part is held until the next one is asked for. */
async function* partsFrom(parts: RowsPart[], next: (after: RowPosition) => Promise<RowsPart>): AsyncGenerator<Row[]> {
  for (let part = parts.pop(); part;) {
    const { last } = part;
    yield part.rows;
    part = undefined;
    if (last) part = await next(last);
  }
}

async function* fieldsOf(parts: AsyncIterable<Row[]>): AsyncGenerator<Line> {
  for await (const rows of parts) for (const row of rows) yield row.fields();
}

async function* citing(
  report: Parameters<typeof citedLines>[0],
  reading: Reading,
  parts: AsyncIterable<Row[]>,
  { lines }: Held,
): AsyncGenerator<Line> {
  for await (const rows of parts) yield* citedLines(report, reading, rows, lines);
}
