import type { DocumentKind } from '@svc/contracts/documents';
import type { Posting } from '../../postings/posting.ts';
import { latestOf, type Fold } from '../../sums/sum-block.ts';
import { piecesOf } from '../../sums/pieces.ts';
import type { CountedPosting } from '../counted-posting.ts';
import { countedIn, isSelected, periodIn } from '../reading.ts';
import type { Reading } from '../report.ts';
import type { Part, Sum } from '../part.ts';
import { createTally } from '../tally.ts';
import { tablesOf, type KindSum, type Table, type Tables } from './table.ts';

/** Rows that are summed for each block. */
export interface View {
  name: string;
  /** What a document adds to which rows: at most one part per key. */
  parts(posting: CountedPosting): Part[];
}

const AT_ONCE = 100;

/** Sums counted postings for each view: a text a view. */
export const countedFold =
  (views: readonly View[]): Fold =>
  async (postings, turn) => {
    const sums = views.map((view) => ({ ...view, add: viewSum() }));
    for (const [n, posting] of postings.entries()) {
      if (n % AT_ONCE === 0) await turn(0);
      if (isCounted(posting)) for (const { parts, add } of sums) add.posting(posting, parts);
    }
    return {
      sums: Object.fromEntries(sums.flatMap(({ name, add }) => (add.isNothing() ? [] : [[name, JSON.stringify(add.packed())]]))),
      ...latestOf(postings),
    };
  };

const isCounted = (posting: Posting): posting is CountedPosting => posting.figures !== undefined;

function viewSum() {
  const rows = createTally({}, Infinity);
  /** A document counts once, however many rows it is in. */
  const documents = new Map<string, number>();
  const documentsOf = ({ kind, currency }: { kind: DocumentKind; currency: string }): string => `${kind} ${currency}`;
  return {
    posting(posting: CountedPosting, partsOf: View['parts']): void {
      const { kind, figures } = posting;
      const parts = partsOf(posting);
      if (parts.length === 0) return;
      rows.add(
        parts.map((part) => ({ ...part, key: { kind, ...part.key } })),
        figures.documents,
      );
      documents.set(documentsOf(posting), (documents.get(documentsOf(posting)) ?? 0) + figures.documents);
    },
    isNothing: (): boolean => documents.size === 0,
    packed(): Tables {
      const tables = tablesOf(rows.rows().map(withKind));
      const totals = createTally({}, Infinity);
      for (const table of tables) totals.addRows([table], { keys: ['kind'], key: () => [table.kind] });
      const counted = totals.rows().map(withKind);
      return { rows: tables, totals: tablesOf(counted.map((row) => ({ ...row, documents: documents.get(documentsOf(row)) ?? 0 }))) };
    },
  };
}

function withKind({ key: { kind, ...key }, ...row }: Sum): KindSum {
  return { ...row, kind: kind as DocumentKind, key };
}

/** Postings one by one, and the sums of others. */
export type CountedPiece = { posting: CountedPosting } | Tables;

/** What counts in the period, in its order: by the sums of a view, where there are some. */
export async function* countedPieces(reading: Reading, view: string): AsyncGenerator<CountedPiece> {
  const range = periodIn(reading);
  const { account, env, ledger, turn, known_at, stored_until } = reading;
  const { blocks, sums } = ledger;
  const pieces = piecesOf({
    ...{ account, env, order: 'counted_on', range, turn, blocks, sums, known_at, stored_until },
    names: () => [view],
  });
  for await (const piece of pieces) {
    if ('texts' in piece) for (const text of piece.texts.values()) yield selected(JSON.parse(text) as Tables, reading);
    else for await (const posting of countedIn(reading, piece)) yield { posting };
  }
}

function selected({ rows, totals }: Tables, reading: Reading): Tables {
  const of = (tables: readonly Table[]): Table[] => tables.filter((table) => isSelected(table, reading));
  return { rows: of(rows), totals: of(totals) };
}
