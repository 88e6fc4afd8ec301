import type { DocumentKind } from '@svc/contracts/documents';
import type { Posting } from '../../postings/posting.ts';
import type { Fold } from '../../sums/sum-block.ts';
import { piecesOf } from '../../sums/pieces.ts';
import type { CountedPosting } from '../counted-posting.ts';
import { countedIn, isSelected, periodIn } from '../reading.ts';
import type { Reading } from '../report.ts';
import type { Part } from '../part.ts';
import { createTally, type Sum } from '../tally.ts';
import { packRows, unpackRows, type KindSum, type PackedRows } from './packed-rows.ts';

/** Rows that are summed for each block. */
export interface View {
  name: string;
  /** What a document adds to which rows: at most one part per key. */
  parts(posting: CountedPosting): Part[];
}

const UNBOUNDED = { rows: Infinity, references: Infinity };
const AT_ONCE = 100;

/** Sums counted postings for each view: a text a view, with rows in the order of the last documents that they are of. */
export const countedFold =
  (views: readonly View[]): Fold =>
  async (postings, turn) => {
    const sums = views.map((view) => ({ ...view, add: viewSum() }));
    for (const [n, posting] of postings.entries()) {
      if (n % AT_ONCE === 0) await turn(0);
      if (isCounted(posting)) for (const { parts, add } of sums) add.posting(posting, parts);
    }
    return Object.fromEntries(sums.flatMap(({ name, add }) => (add.isNothing() ? [] : [[name, JSON.stringify(add.packed())]])));
  };

const isCounted = (posting: Posting): posting is CountedPosting => posting.figures !== undefined;

function viewSum() {
  const rows = createTally({ cites: false }, UNBOUNDED);
  const totals = createTally({ cites: false }, UNBOUNDED);
  return {
    posting(posting: CountedPosting, partsOf: View['parts']): void {
      const { kind, figures } = posting;
      const parts = partsOf(posting);
      rows.add(
        parts.map((part) => ({ ...part, key: { kind, ...part.key } })),
        figures.documents,
      );
      for (const [n, part] of parts.entries()) totals.add([{ ...part, key: { kind } }], n === 0 ? figures.documents : 0);
    },
    isNothing: (): boolean => rows.rows().length === 0,
    packed: (): PackedRows => packRows(rows.rows().map(withKind), totals.rows().map(withKind)),
  };
}

function withKind({ key: { kind, ...key }, ...row }: Sum): KindSum {
  return { ...row, kind: kind as DocumentKind, key };
}

/** Postings one by one, and the sums of others. */
export type CountedPiece = { posting: CountedPosting } | { rows: Iterable<Sum>; totals: Iterable<Sum> };

/** What counts in the period, in its order: by the sums of a view, where no document is cited and everything that is known counts. */
export async function* countedPieces(reading: Reading, view: string): AsyncGenerator<CountedPiece> {
  const range = periodIn(reading);
  const { account, env, ledger, turn, cites, known_at } = reading;
  const { blocks, sums } = ledger;
  const pieces =
    cites || known_at !== null
      ? [range]
      : piecesOf({ ...{ account, env, order: 'counted_on', range, turn, blocks, sums }, names: () => [view] });
  for await (const piece of pieces) {
    if ('texts' in piece) for (const text of piece.texts.values()) yield sumsIn(JSON.parse(text) as PackedRows, reading);
    else for await (const posting of countedIn(reading, piece)) yield { posting };
  }
}

const sumsIn = (packed: PackedRows, reading: Reading): CountedPiece => ({
  rows: unpackRows(packed, 'rows', (row) => isSelected(row, reading)),
  totals: unpackRows(packed, 'totals', (row) => isSelected(row, reading)),
});
