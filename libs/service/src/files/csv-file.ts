import { csvLine } from './csv.ts';

/** A byte order mark, without which spreadsheets take the text for another encoding. */
const MARK = '\uFEFF';
export const CSV_END = '\r\n';
/** Lines of one piece: some 100 KiB, made in one turn of the event loop. */
const AT_ONCE = 500;

/** What a file begins with: the names of its columns. */
export const csvHead = (columns: readonly string[]): string => `${MARK}${columns.join(',')}${CSV_END}`;

/** Lines as RFC 4180 writes them, in pieces, behind a header. */
export async function* csvPieces(
  columns: readonly string[],
  lines: AsyncIterable<Record<string, unknown>> | Iterable<Record<string, unknown>>,
): AsyncGenerator<string> {
  yield csvHead(columns);
  let piece: string[] = [];
  for await (const fields of lines) {
    piece.push(csvLine(columns, fields), CSV_END);
    if (piece.length < 2 * AT_ONCE) continue;
    yield piece.join('');
    piece = [];
  }
  if (piece.length > 0) yield piece.join('');
}
