import type { Clock, Turn } from '@svc/kernel';
import type { Posting, Postings } from '../postings/posting.ts';
import { newBlock, positionOf, sumId, type Block, type Blocks, type BlockSums, type Order } from '../postings/block.ts';
import { filtersOf, type Range } from './range.ts';

/** Postings of a block: of one that is split, and the fewest that are worth sums. A block that may still grow has up to twice as many. */
export interface Sizes {
  split: number;
  least: number;
  /** The most products and taxes of its documents, which its rows and its memory grow with: a document has at most 500 and 1,000. */
  parts: number;
}
const SIZES: Sizes = { split: 500, least: 100, parts: 20_000 };
/** A longer sum costs more than reading the postings. */
const MOST_BYTES = 512 * 1024;
const AT_ONCE = 100;
const POSTING_BYTES = 1_000;

/** Sums by name, nothing where they are nothing; `recorded` and `stored`: the last of all postings that they are of. */
export interface Folded {
  sums: Record<string, string>;
  recorded: string;
  stored: number;
}

/** Sums postings. */
export type Fold = (postings: readonly Posting[], turn: Turn) => Promise<Folded>;

/** The last `recorded_at` and the last `stored`; '' and 0 of none. */
export function latestOf(postings: readonly Pick<Posting, 'recorded_at' | 'stored'>[]): Pick<Folded, 'recorded' | 'stored'> {
  let [recorded, last] = ['', 0];
  for (const { recorded_at, stored } of postings) {
    if (recorded_at > recorded) recorded = recorded_at;
    if (stored > last) last = stored;
  }
  return { recorded, stored: last };
}

export interface Summing {
  postings: Postings;
  blocks: Blocks;
  sums: BlockSums;
  clock: Pick<Clock, 'now'>;
  folds: Record<Order, Fold>;
  sizes?: Sizes;
}

/**
 * Makes the sums of a block anew from its postings; splits one that has become too long. Its sums count once the block names their version, which is refused
 * where it was marked meanwhile. So any number of processes may do it at once, and after a crash it is done again.
 */
export async function sumBlock(summing: Summing, block: Block, turn: Turn): Promise<void> {
  const { blocks, clock, folds, sizes = SIZES } = summing;
  const [begun] = await blocks.claim({ _id: block._id, version: block.version }, { set: { is_stale: false, summed: null } });
  if (!begun) return;
  const range = { from: begun.from, to: await nextOf(blocks, begun) };
  const { postings, to } = await firstOf(summing, begun, range, turn);
  if (to === range.to && postings.length < sizes.least)
    return void (await store(summing, begun, { to: range.to, postings: [], folded: NOTHING, summed: null }));
  if (to !== null && to !== range.to) await blocks.insert(newBlock(begun, to, clock.now()));
  const folded = await folds[begun.order](postings, turn);
  await store(summing, begun, { to, postings, folded, summed: begun.version });
}

const NOTHING: Folded = { sums: {}, recorded: '', stored: 0 };

interface Made {
  to: string | null;
  postings: readonly Posting[];
  folded: Folded;
  summed: number | null;
}

/** The sums first, then the block that names them. */
async function store({ blocks, sums }: Summing, block: Block, { to, postings, folded, summed }: Made): Promise<void> {
  const { _id, order, version } = block;
  const made = Object.entries(folded.sums);
  const kept = made.filter(([, text]) => text.length <= MOST_BYTES);
  await sums.write(kept.map(([name, text]) => ({ put: { _id: sumId(block, name), version, text } })));
  const names = made.map(([name]) => name);
  const at = (posting: Posting | undefined): string => (posting ? positionOf(posting[order] as string, posting._id) : '');
  const ends = { first: at(postings[0]), last: at(postings.at(-1)) };
  const [stored] = await blocks.claim(
    { _id, version },
    { set: { to, ...ends, summed, sums: names, recorded: folded.recorded, stored: folded.stored, due_at: null } },
  );
  const gone = block.sums.filter((name) => !names.includes(name));
  if (stored) await sums.write(gone.map((name) => ({ delete: sumId(block, name) })));
}

async function nextOf(blocks: Blocks, { account, env, order, from }: Block): Promise<string | null> {
  const [next] = await Array.fromAsync(blocks.find({ account, env, order, from: { $gt: from } }, { sort: { from: 1 }, limit: 1 }));
  return next?.from ?? null;
}

/** The postings of a range and where they end: those of whole documents up to a split, where it has too many. */
async function firstOf(summing: Summing, { account, env, order }: Block, range: Range, turn: Turn): Promise<First> {
  const { split, parts: most } = summing.sizes ?? SIZES;
  const postings: Posting[] = [];
  let parts = 0;
  for (const filter of filtersOf(order, range))
    for await (const posting of summing.postings.find({ account, env, ...filter }, { sort: { [order]: 1, _id: 1 } })) {
      const isNext = postings.at(-1)?.document !== posting.document;
      postings.push(posting);
      if (isNext && parts > most) return cut(order, postings, postings.length - 1);
      if (isNext && postings.length > 2 * split) return cut(order, postings, split);
      parts += partsOf(posting);
      if (postings.length % AT_ONCE === 0) await turn(AT_ONCE * POSTING_BYTES);
    }
  return { postings, to: range.to };
}

const partsOf = ({ figures }: Posting): number => (figures ? figures.products.length + figures.taxes.length : 0);

interface First {
  postings: Posting[];
  to: string | null;
}

/** The last of the postings begins a document. Cuts between two days where that does not make the block much shorter, since reports are of whole days. */
function cut(order: Order, postings: readonly Posting[], length: number): First {
  const dayAt = (at: number): string => postings[at]?.[order] as string;
  const isNewDay = (at: number): boolean => dayAt(at) !== dayAt(at - 1);
  for (let at = length; at > length / 4; at -= 1) if (isNewDay(at)) return { postings: postings.slice(0, at), to: dayAt(at) };
  const at = postings.findIndex(({ document }, n) => n >= length && document !== postings[n - 1]?.document);
  return { postings: postings.slice(0, at), to: positionOf(dayAt(at), (postings[at] as Posting).document) };
}
