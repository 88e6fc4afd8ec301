import { csvLine } from '../csv.ts';

/** A byte order mark, without which spreadsheets take the text for another encoding. */
const MARK = '\uFEFF';
const END = '\r\n';
/** Lines of one piece: some 100 KiB, made in one turn of the event loop. */
const AT_ONCE = 500;

/** Lines as RFC 4180 writes them, in pieces, behind a header. */
export async function* csvPieces(
  columns: readonly string[],
  lines: AsyncIterable<Record<string, unknown>> | Iterable<Record<string, unknown>>,
): AsyncGenerator<string> {
  yield `${MARK}${columns.join(',')}${END}`;
  let piece: string[] = [];
  for await (const fields of lines) {
    piece.push(csvLine(columns, fields), END);
    if (piece.length < 2 * AT_ONCE) continue;
    yield piece.join('');
    piece = [];
  }
  if (piece.length > 0) yield piece.join('');
}
