import { badQuery } from './bad-query.ts';
import { citedDocument, rowId } from './part.ts';
import type { Reading, Report, Row } from './report.ts';

/** Documents that the rows of one response cite, so that it leaves memory to others. */
const MOST = 100_000;

/** Adds to rows the documents that they cite. Throws `invalid_request` where these are too many. */
export async function cite({ cited }: Pick<Report, 'cited'>, reading: Reading, rows: readonly Row[], most = MOST): Promise<void> {
  const found = new Map(rows.map((row) => [row.id, row]));
  let citations = 0;
  for await (const { parts } of cited?.(reading) ?? [])
    for (const part of parts) {
      const row = found.get(rowId(part));
      if (!row) continue;
      citations += 1;
      if (citations > most)
        throw badQuery(
          'cite',
          `The page would cite more than ${most} documents. Ask for fewer rows a page, a shorter period, or format=csv.`,
        );
      row.references.push(citedDocument(part.cites));
    }
}
