import { sumId } from '../../postings/block.ts';
import type { SummedPiece } from '../../sums/pieces.ts';
import type { Range } from '../../sums/range.ts';
import { sortedInTurns } from '../order.ts';
import { historiesIn } from '../reading.ts';
import type { Reading } from '../report.ts';
import { issuedPieces } from '../summed/issued.ts';
import { EXTENTS, NUMBERS, type SeriesExtent, type SeriesNumbers } from '../summed/number-sums.ts';
import { mergedRuns, mostAtOnce, type Run } from './merged-runs.ts';
import { inOrder, numberIn, numbersIn, type TakenNumber } from './taken-number.ts';
import { walkedNumbers } from './walked-numbers.ts';

export interface Limits {
  /** Numbers that one report holds at a time, of some 200 bytes each. */
  held: number;
  /** How often the numbers of a block are read, once for each series of it, before a walk over all series costs less. */
  reads: number;
}
const LIMITS: Limits = { held: 100_000, reads: 8 };
const AT_ONCE = 500;
const NUMBER_BYTES = 200;

/**
 * The numbers of documents of the period, of any kind and currency, by count and number. They are merged from the sums of blocks, which are of issue dates: of these
 * only those are read at a time whose numbers interleave. Where more of them do than may be held, all series are walked.
 */
export async function* takenNumbers(reading: Reading, limits = LIMITS): AsyncGenerator<TakenNumber> {
  let passed = 0;
  for await (const number of await foundNumbers(reading, limits)) {
    passed += 1;
    if (passed % AT_ONCE === 0) await reading.turn(AT_ONCE * NUMBER_BYTES);
    yield number;
  }
}

async function foundNumbers(reading: Reading, limits: Limits): Promise<AsyncIterable<TakenNumber> | Iterable<TakenNumber>> {
  const found = await runsIn(reading, limits.held);
  if (!found) return walkedNumbers(reading);
  if (found.numbers <= limits.held) return sortedInTurns(await allOf(found.runs), inOrder, reading.turn);
  const isScattered = mostAtOnce(found.runs) > limits.held || found.runs.length > limits.reads * found.pieces;
  return isScattered ? walkedNumbers(reading) : mergedRuns(found.runs);
}

interface Found {
  runs: Run[];
  numbers: number;
  pieces: number;
}

/** A run for each series of each block; undefined where more numbers are in no sum than may be held. */
async function runsIn(reading: Reading, most: number): Promise<Found | undefined> {
  const found: Found = { runs: [], numbers: 0, pieces: 0 };
  let plain = 0;
  for await (const piece of issuedPieces(reading, () => [EXTENTS])) {
    found.pieces += 1;
    const own = 'texts' in piece ? summedRuns(reading, piece) : await plainRuns(reading, piece, most - plain);
    if (!own) return undefined;
    for (const run of own) {
      found.runs.push(run);
      found.numbers += run.count;
      plain += 'texts' in piece ? 0 : run.count;
    }
  }
  return found;
}

function summedRuns(reading: Reading, piece: SummedPiece): Run[] {
  const text = piece.texts.get(EXTENTS);
  const extents = text === undefined ? [] : (JSON.parse(text) as SeriesExtent[]);
  return extents.map(([series_key, first, last, count]) => ({
    ...{ series_key, first, last, count },
    numbers: async () => (await numbersOf(reading, piece)).filter((number) => number.series_key === series_key),
  }));
}

/** Of a block; read from its postings where its sums are of another version by now. */
async function numbersOf(reading: Reading, piece: SummedPiece): Promise<TakenNumber[]> {
  const sum = await reading.ledger.sums.get(sumId(piece.block, NUMBERS));
  await reading.turn(sum?.text.length ?? 0);
  if (sum?.version === piece.block.summed) return (JSON.parse(sum.text) as SeriesNumbers[]).flatMap((own) => numbersIn(own, reading));
  return (await readNumbers(reading, piece, Infinity)) ?? [];
}

async function plainRuns(reading: Reading, range: Range, most: number): Promise<Run[] | undefined> {
  const all = await readNumbers(reading, range, most);
  if (!all) return undefined;
  return [...Map.groupBy(all, ({ series_key }) => series_key)].map(([series_key, own]) => ({
    ...{ series_key, first: own[0]?.seq ?? 0, last: own.at(-1)?.seq ?? 0, count: own.length },
    numbers: async () => own,
  }));
}

/** In their order; undefined where there are more. */
async function readNumbers(reading: Reading, range: Range, most: number): Promise<TakenNumber[] | undefined> {
  const numbers: TakenNumber[] = [];
  for await (const history of historiesIn(reading, range)) {
    const number = numberIn(history, reading);
    if (number && numbers.push(number) > most) return undefined;
  }
  return sortedInTurns(numbers, inOrder, reading.turn);
}

async function allOf(runs: readonly Run[]): Promise<TakenNumber[]> {
  const all: TakenNumber[] = [];
  for (const run of runs) for (const number of await run.numbers()) all.push(number);
  return all;
}
