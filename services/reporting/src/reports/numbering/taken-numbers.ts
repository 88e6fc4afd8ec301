import { sumId } from '../../postings/block.ts';
import type { SummedPiece } from '../../sums/pieces.ts';
import { within, type Range } from '../../sums/range.ts';
import { sortedInTurns } from '../order.ts';
import { historiesIn, periodIn } from '../reading.ts';
import type { Reading } from '../report.ts';
import { issuedPieces } from '../summed/issued.ts';
import { EXTENTS, NUMBERS, parsedNumbers, type SeriesExtent } from '../summed/number-sums.ts';
import { mergedRuns, mostAtOnce, type Run } from './merged-runs.ts';
import { inOrder, numberIn, numbersIn, type TakenNumber } from './taken-number.ts';
import { walkedNumbers } from './walked-numbers.ts';

export interface Limits {
  /** Numbers that are sorted rather than merged. */
  few: number;
  /** Numbers that one report holds at a time, of some 200 bytes each. */
  held: number;
  /** How often the numbers of a block are read, once for each series of it, before a walk over all series costs less. */
  reads: number;
}
const LIMITS: Limits = { few: 10_000, held: 100_000, reads: 8 };
/** Numbers of a part that is in no sum. */
const PART = 2_000;
const AT_ONCE = 500;
const NUMBER_BYTES = 200;

/**
 * The numbers of documents of the period, of any kind and currency, by count and number, some at once. They are merged from the sums of blocks, which are of issue dates: of these
 * only those are read at a time whose numbers interleave. Where more of them do than may be held, all series are walked.
 */
export async function* takenNumbers(reading: Reading, limits = LIMITS): AsyncGenerator<readonly TakenNumber[]> {
  let passed = 0;
  for await (const numbers of await foundNumbers(reading, limits)) {
    yield numbers;
    passed += numbers.length;
    if (passed < AT_ONCE) continue;
    await reading.turn(passed * NUMBER_BYTES);
    passed = 0;
  }
}

async function foundNumbers(reading: Reading, limits: Limits): Promise<AsyncIterable<readonly TakenNumber[]>> {
  const parts = await partsOf(reading, limits.held);
  if (!parts) return walkedNumbers(reading);
  const runs = parts.flatMap((part) => part.extents.map((extent, n) => runOf(part, extent, n)));
  const all = runs.reduce((sum, { count }) => sum + count, 0);
  const isScattered = (): boolean => mostAtOnce(runs) > limits.held || runs.length > limits.reads * parts.length;
  if (all > limits.few && !isScattered()) return mergedRuns(runs, AT_ONCE);
  return all > limits.held ? walkedNumbers(reading) : inParts(await sortedInTurns(await allOf(parts), inOrder, reading.turn));
}

async function* inParts(numbers: readonly TakenNumber[]): AsyncGenerator<readonly TakenNumber[]> {
  for (let n = 0; n < numbers.length; n += AT_ONCE) yield numbers.slice(n, n + AT_ONCE);
}

/** The numbers of a block, or of a range of which there are no sums. */
interface NumbersPart {
  extents: SeriesExtent[];
  /** All of them, or at least those of the n-th extent. */
  numbers(n?: number): Promise<TakenNumber[]>;
}

/** Those of one count. A number that was added since is not among them. */
const runOf = (part: NumbersPart, [series_key, first, last, count]: SeriesExtent, n: number): Run => ({
  ...{ series_key, first, last, count },
  numbers: async () =>
    (await part.numbers(n)).filter((number) => number.series_key === series_key && number.seq >= first && number.seq <= last),
});

/** Undefined where more numbers are in no sum than may be held. */
async function partsOf(reading: Reading, most: number): Promise<NumbersPart[] | undefined> {
  const parts: NumbersPart[] = [];
  let plain = 0;
  for await (const piece of issuedPieces(reading, () => [EXTENTS])) {
    if ('texts' in piece) {
      const text = piece.texts.get(EXTENTS);
      if (text !== undefined) parts.push({ extents: JSON.parse(text) as SeriesExtent[], numbers: (n) => numbersOf(reading, piece, n) });
      continue;
    }
    for await (const numbers of readNumbers(reading, piece)) {
      plain += numbers.length;
      if (plain > most) return undefined;
      parts.push(heldPart(numbers));
    }
  }
  return parts;
}

/** Held as bytes outside of the heap, of which collections copy nothing. */
function heldPart(numbers: readonly TakenNumber[]): NumbersPart {
  const bytes = Buffer.from(JSON.stringify(numbers));
  return { extents: extentsOf(numbers), numbers: async () => JSON.parse(bytes.toString()) as TakenNumber[] };
}

/** Of a block; read from its postings where its sums are of another version by now. */
async function numbersOf(reading: Reading, piece: SummedPiece, n?: number): Promise<TakenNumber[]> {
  const sum = await reading.ledger.sums.get(sumId(piece.block, NUMBERS));
  await reading.turn(sum?.text.length ?? 0);
  if (sum?.version === piece.block.summed) return parsedNumbers(sum.text, n).flatMap((own) => numbersIn(own, reading));
  const read = await Array.fromAsync(readNumbers(reading, within(piece, periodIn(reading)) ?? piece));
  return sortedInTurns(read.flat(), inOrder, reading.turn);
}

/** In parts of so many by their issue dates, each in the order of its numbers. */
async function* readNumbers(reading: Reading, range: Range): AsyncGenerator<TakenNumber[]> {
  let numbers: TakenNumber[] = [];
  for await (const history of historiesIn(reading, range)) {
    const number = numberIn(history, reading);
    if (!number || numbers.push(number) < PART) continue;
    yield sortedInTurns(numbers, inOrder, reading.turn);
    numbers = [];
  }
  yield sortedInTurns(numbers, inOrder, reading.turn);
}

const extentsOf = (numbers: readonly TakenNumber[]): SeriesExtent[] =>
  [...Map.groupBy(numbers, ({ series_key }) => series_key)].map(([series_key, own]): SeriesExtent => {
    const [first, last] = [own[0]?.seq ?? 0, own.at(-1)?.seq ?? 0];
    return [series_key, first, last, own.length];
  });

async function allOf(parts: readonly NumbersPart[]): Promise<TakenNumber[]> {
  const all: TakenNumber[] = [];
  for (const part of parts) for (const number of await part.numbers()) all.push(number);
  return all;
}
