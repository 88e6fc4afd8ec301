import { decimal, type Day } from '@svc/kernel';
import { endOf } from '../../postings/block.ts';
import type { Cited, Reading, Report, Row } from '../report.ts';
import { citedDocument, rowId, type Citation, type Part } from '../part.ts';

type CitingReport = Required<Pick<Report, 'cited'>>;
type Line = Record<string, unknown>;

/** A row, how many documents it cites, and the days that they are of. */
interface Extent {
  row: Row;
  id: string;
  lines: number;
  first: Day;
  last: Day;
}

/**
 * A line for each cited document, row by row. The documents are read again for each few rows, of which no more than `most` lines are held at once; those of a
 * longer row are passed on as they are read.
 */
export async function* citedLines(report: CitingReport, reading: Reading, rows: readonly Row[], most: number): AsyncGenerator<Line> {
  const extents = await extentsOf(rows, report.cited(reading));
  for (let at = 0; at < extents.length;) {
    const portion = portionAt(extents, at, most);
    at += portion.length;
    const range = { from: portion.map(({ first }) => first).reduce(earlier), to: endOf(portion.map(({ last }) => last).reduce(later)) };
    const documents = report.cited(reading, range);
    yield* portion.length === 1 ? linesOf(portion[0] as Extent, documents) : linesInOrder(portion, documents);
  }
}

const earlier = (a: Day, b: Day): Day => (a < b ? a : b);
const later = (a: Day, b: Day): Day => (a > b ? a : b);

async function extentsOf(rows: readonly Row[], documents: AsyncIterable<Cited>): Promise<Extent[]> {
  const found = new Map(rows.map((row) => [row.id, { row, id: row.id, lines: 0, first: '9999-12-31', last: '' }]));
  for await (const { day, parts } of documents)
    for (const part of parts) {
      const extent = found.get(rowId(part));
      if (!extent) continue;
      extent.lines += 1;
      extent.first = earlier(extent.first, day);
      extent.last = later(extent.last, day);
    }
  return [...found.values()].filter(({ lines }) => lines > 0);
}

/** The next rows that have no more lines than fit, one at least. */
function portionAt(extents: readonly Extent[], at: number, most: number): Extent[] {
  let end = at;
  for (let lines = 0; end < extents.length; end += 1) {
    lines += extents[end]?.lines ?? 0;
    if (lines > most && end > at) break;
  }
  return extents.slice(at, end);
}

async function* linesOf({ row, id }: Extent, documents: AsyncIterable<Cited>): AsyncGenerator<Line> {
  const fields = row.fields();
  for await (const { parts } of documents) for (const part of parts) if (rowId(part) === id) yield lineOf(fields, part);
}

async function* linesInOrder(portion: readonly Extent[], documents: AsyncIterable<Cited>): AsyncGenerator<Line> {
  const lines = new Map(portion.map(({ row, id }) => [id, { fields: row.fields(), cited: [] as string[] }]));
  for await (const { parts } of documents) for (const part of parts) lines.get(rowId(part))?.cited.push(heldText(part.cites));
  for (const { fields, cited } of lines.values()) for (const text of cited) yield lineOf(fields, { cites: citedIn(text) });
}

/** One text takes a third of the memory of the values. */
const heldText = ({ id, number, amount, beside = {} }: Citation): string =>
  JSON.stringify([id, number, amount, ...Object.entries(beside).flat()]);

function citedIn(text: string): Citation {
  const [id, number, amount, ...more] = JSON.parse(text) as [string, string, string, ...string[]];
  const beside = more.flatMap((name, n) => (n % 2 === 0 ? [[name, decimal(more[n + 1] as string)] as const] : []));
  return { id, number, amount: decimal(amount), beside: Object.fromEntries(beside) };
}

function lineOf(fields: Line, { cites }: Pick<Part, 'cites'>): Line {
  const { id, number, amount, ...beside } = citedDocument(cites);
  const more = Object.entries(beside).map(([name, value]) => [`cited_${name}`, value] as const);
  return { ...fields, document_id: id, number, amount, ...Object.fromEntries(more) };
}
