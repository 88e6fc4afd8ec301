import type { ReportResource } from '@svc/contracts/report/resource';
import { JsonStream } from '@svc/service';
import type { Row } from './report.ts';

export interface ReportAnswer {
  /** Fields before and after `data`. */
  head: Omit<ReportResource, 'data' | keyof ReportAnswer['tail']>;
  tail: Pick<ReportResource, 'totals' | 'meta' | 'links'>;
  /** The rows of the page. */
  rows: readonly Row[];
  cites: boolean;
}

/** Citations (some 90 bytes each) up to which the response is one object, and per chunk of a stream. */
const WHOLE = 500;
const PIECE = 1_000;

/** The response of a report: an object, or a stream of the same JSON when it cites many documents. */
export function reportAnswer(report: ReportAnswer): ReportResource | JsonStream {
  const { head, tail, rows, cites } = report;
  const citations = cites ? rows.reduce((sum, { references }) => sum + references.length, 0) : 0;
  if (citations > WHOLE) return new JsonStream(piecesOf(report));
  return { ...head, data: rows.map((row) => ({ ...row.fields(), ...(cites ? { cited: row.references } : {}) })), ...tail };
}

const MARK = '"cited":[';

async function* piecesOf({ head, tail, rows }: ReportAnswer): AsyncGenerator<string> {
  yield `${JSON.stringify(head).slice(0, -1)},"data":[`;
  let between = '';
  for (const row of rows) {
    yield `${between}${JSON.stringify(row.fields()).slice(0, -1)},${MARK}`;
    for (let at = 0; at < row.references.length; at += PIECE) {
      yield `${at === 0 ? '' : ','}${JSON.stringify(row.references.slice(at, at + PIECE)).slice(1, -1)}`;
    }
    yield ']}';
    between = ',';
  }
  yield `],${JSON.stringify(tail).slice(1)}`;
}
