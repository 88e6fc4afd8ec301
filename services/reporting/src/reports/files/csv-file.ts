import { csvLine } from '../csv.ts';
import type { Columns, Result, Row } from '../report.ts';

/** A byte order mark, without which spreadsheets take the text for another encoding. */
const MARK = '\uFEFF';
const END = '\r\n';
/** Lines of one piece: some 100 KiB, made in one turn of the event loop. */
const AT_ONCE = 500;

/** A report as RFC 4180 writes it, in pieces: all rows, without totals; with citations a line a cited document, which has the row's key. */
export function* csvPieces({ rows }: Pick<Result, 'rows'>, { of, sums, cited }: Columns, cites: boolean): Generator<string> {
  const columns = cites ? [...of, ...cited] : [...of, ...sums];
  yield `${MARK}${columns.join(',')}${END}`;
  let piece: string[] = [];
  for (const fields of cites ? citedLines(rows) : plainLines(rows)) {
    piece.push(csvLine(columns, fields), END);
    if (piece.length < 2 * AT_ONCE) continue;
    yield piece.join('');
    piece = [];
  }
  if (piece.length > 0) yield piece.join('');
}

function* plainLines(rows: readonly Row[]): Generator<Record<string, unknown>> {
  for (const row of rows) yield row.fields();
}

function* citedLines(rows: readonly Row[]): Generator<Record<string, unknown>> {
  for (const row of rows) {
    const fields = row.fields();
    for (const { id, number, amount, tax } of row.references) yield { ...fields, document_id: id, number, amount, cited_tax: tax };
  }
}
