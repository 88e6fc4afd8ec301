import type { Env, Turn } from '@svc/kernel';
import { sumId, type Block, type Blocks, type BlockSums, type Order } from '../postings/block.ts';
import { within, type Range } from './range.ts';

interface Summed extends Range {
  block: Block;
  names: string[];
}

/** The sums of a block, and the range that they are of. */
export interface SummedPiece extends Range {
  texts: Map<string, string>;
  block: Block;
}

/** A part of a range: the sums of a block, or postings to read. */
export type Piece = SummedPiece | Range;

interface Wanted {
  account: string;
  env: Env;
  order: Order;
  range: Range;
  /** Postings that were recorded later do not count; null: all do. */
  known_at: string | null;
  /** Nor do those that were stored later; absent: all do. */
  stored_until?: number | undefined;
  /** Which sums of a block are wanted; undefined: its postings are. */
  names(block: Block): string[] | undefined;
  turn: Turn;
  blocks: Blocks;
  sums: BlockSums;
}

/** Sums that are read at once, of at most half a MiB each. */
const AT_ONCE = 16;
const MOST_PARTS = 200;

/** A range in pieces, in order: the sums of blocks that are whole in it and have theirs, and what else there is. */
export async function* piecesOf(wanted: Wanted): AsyncGenerator<Piece> {
  let plain: Range | undefined;
  for await (const piece of readSums(wanted, partsOf(wanted))) {
    if ('texts' in piece) {
      if (plain) yield plain;
      plain = undefined;
      yield piece;
    } else plain = plain && plain.to === piece.from ? { from: plain.from, to: piece.to } : piece;
  }
  if (plain) yield plain;
}

/** Blocks are read while others split them: where the sums of one cover the next one, they count. */
async function* partsOf({ account, env, order, range, known_at, stored_until, names, blocks }: Wanted): AsyncGenerator<Summed | Range> {
  const [first] = await Array.fromAsync(blocks.find({ account, env, order, from: { $lte: range.from } }, { sort: { from: -1 }, limit: 1 }));
  if (!first) return void (yield range);
  let block = first;
  const rest = range.to === null ? { $gt: first.from } : { $gt: first.from, $lt: range.to };
  for await (const next of blocks.find({ account, env, order, from: rest }, { sort: { from: 1 } })) {
    if (counts(block) && (block.to === null || next.from < block.to)) continue;
    yield* partOf(block, next.from);
    block = next;
  }
  yield* partOf(block, null);

  function* partOf(one: Block, next: string | null): Generator<Summed | Range> {
    const own = { from: one.from, to: counts(one) ? one.to : next };
    const part = within(own, range);
    if (!part) return;
    const wanted = counts(one) && isIn(one, range) ? names(one) : undefined;
    yield wanted ? { ...own, block: one, names: wanted.filter((name) => one.sums.includes(name)) } : part;
  }
  function counts({ is_stale, summed, recorded, stored }: Block): boolean {
    if (is_stale || summed === null) return false;
    return (known_at === null || recorded <= known_at) && (stored_until === undefined || stored <= stored_until);
  }
}

const isIn = ({ first, last }: Block, { from, to }: Range): boolean => first >= from && (to === null || last < to);

/** A block whose sums are those of another version by now is read posting by posting. */
async function* readSums({ sums, turn, range }: Wanted, parts: AsyncIterable<Summed | Range>): AsyncGenerator<Piece> {
  let batch: (Summed | Range)[] = [];
  let wanted = 0;
  for await (const part of parts) {
    batch.push(part);
    wanted += 'block' in part ? part.names.length : 0;
    if (wanted < AT_ONCE && batch.length < MOST_PARTS) continue;
    yield* loaded(batch);
    [batch, wanted] = [[], 0];
  }
  yield* loaded(batch);

  async function* loaded(those: readonly (Summed | Range)[]): AsyncGenerator<Piece> {
    const ids = those.flatMap((part) => ('block' in part ? part.names.map((name) => sumId(part.block, name)) : []));
    const found = new Map<string, { version: number; text: string }>();
    if (ids.length > 0) for await (const { _id, version, text } of sums.find({ _id: { $in: ids } })) found.set(_id, { version, text });
    for (const part of those) {
      if (!('block' in part)) {
        yield part;
        continue;
      }
      const own = part.names.map((name) => [name, found.get(sumId(part.block, name))] as const);
      const texts = new Map(own.flatMap(([name, sum]) => (sum?.version === part.block.summed ? [[name, sum.text]] : [])));
      await turn(texts.values().reduce((bytes, text) => bytes + text.length, 0));
      yield texts.size === own.length ? { texts, block: part.block, from: part.from, to: part.to } : (within(part, range) ?? part);
    }
  }
}
