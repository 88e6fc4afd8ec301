import type { Collection, Doc, Index, Job } from '@svc/document-store';
import type { Clock, Day, Env } from '@svc/kernel';
import { postingId, type Posting, type Postings } from './posting.ts';

/** By what postings are in blocks: the day on which they count, or the issue date of their document. */
export type Order = 'counted_on' | 'issued_on';

/**
 * Postings from one on up to the first of the next block, in an order, and whether they have been summed since one was added. The first block of an order
 * begins with ''. Blocks are split, never joined.
 */
export interface Block extends Job {
  account: string;
  env: Env;
  order: Order;
  /** Of its first posting, at least: `positionOf`, without the line of the document, or a day alone. */
  from: string;
  /** Where the sums end, exclusive; null: they have no end. */
  to: string | null;
  /** Positions of the first and the last posting of its sums; '' where there are none. */
  first: string;
  last: string;
  /** A posting was added since the sums were begun. */
  is_stale: boolean;
  /** The version of its sums; null: there are none. */
  summed: number | null;
  /** The names of its sums: what is not among them is nothing. */
  sums: string[];
  /** `recorded_at` of the last of all postings that its sums are of; '' where there are none. */
  recorded: string;
  /** The last `stored` of them. */
  stored: number;
}

/** One sum of a block, of the version of the block that it was made for. */
export interface BlockSum extends Doc {
  text: string;
}

export type Blocks = Collection<Block>;
export type BlockSums = Collection<BlockSum>;

export const BLOCKS = 'posting_blocks_v1';
export const BLOCK_SUMS = 'posting_sums_v1';
export const blockIndexes: Index[] = [{ fields: ['account', 'env', 'order', 'from'] }, { fields: ['due_at'], present: 'due_at' }];
export const sumTexts = ['text'];

/** The tenant and the order of a block. */
export type Sequence = Pick<Block, 'account' | 'env' | 'order'>;

/** Where a posting is in an order. */
export const positionOf = (day: Day, id: string): string => `${day} ${id}`;

/** Behind all postings of a day. */
export const endOf = (day: Day): string => `${day}~`;

export const newBlock = ({ account, env, order }: Sequence, from: string, due_at: number): Block => ({
  ...{ _id: `${account}.${env}.${order}.${from}`, version: 1, account, env, order, from, to: null, first: '', last: '' },
  ...{ is_stale: true, summed: null, sums: [], recorded: '', stored: 0, due_at },
});

export const sumId = ({ _id }: Pick<Block, '_id'>, name: string): string => `${_id}.${name}`;

/** How long a block rests between a new posting and its sums: postings of that time are summed at once. */
const REST_MS = 30_000;

interface Place extends Sequence {
  position: string;
}

interface Marking {
  blocks: Blocks;
  postings: Postings;
  clock: Pick<Clock, 'now'>;
}

/**
 * Marks the blocks of postings that are stored: their sums do not count until they are made anew. A posting whose block is not marked yet is in no report, as
 * its event is not handled yet; the event is repeated after a crash.
 */
export async function markBlocks({ blocks, postings, clock }: Marking, made: readonly Posting[]): Promise<void> {
  const places = [...made.flatMap(placesOf), ...(await lowered(postings, made))];
  const dueAt = clock.now() + REST_MS;
  for (const own of Map.groupBy(places, ({ account, env, order }) => `${account} ${env} ${order}`).values()) {
    let left = own.toSorted((a, b) => (a.position < b.position ? 1 : -1));
    for (let [last] = left; last; [last] = left) {
      const from = await markAt(blocks, last, dueAt);
      left = left.filter(({ position }) => position < from);
    }
  }
}

function placesOf({ account, env, _id, counted_on, issued_on }: Posting): Place[] {
  const at = (order: Order, day: string): Place => ({ account, env, order, position: positionOf(day, _id) });
  return [at('issued_on', issued_on), ...(counted_on === undefined ? [] : [at('counted_on', counted_on)])];
}

/** Where invoices are that credit notes lower. One without postings is marked by its own, which are added later. */
async function lowered(postings: Postings, made: readonly Posting[]): Promise<Place[]> {
  const notes = made.flatMap(({ account, env, lowers }) => (lowers === undefined ? [] : [{ account, env, lowers }]));
  const found = await Promise.all(
    notes.map(async ({ account, env, lowers }) => {
      const own = { $gte: postingId(lowers, 0), $lte: postingId(lowers, 9_999) };
      const [first] = await Array.fromAsync(postings.find({ _id: own }, { sort: { _id: 1 }, limit: 1 }));
      return first ? [{ account, env, order: 'issued_on' as const, position: positionOf(first.issued_on, first._id) }] : [];
    }),
  );
  return found.flat();
}

/**
 * Marks the block of a place; returns where it begins. One that is stale already is left: its sums are begun by ending that, and then read what was stored
 * before.
 */
async function markAt(blocks: Blocks, { account, env, order, position }: Place, dueAt: number): Promise<string> {
  for (;;) {
    const before = { account, env, order, from: { $lte: position } };
    const [block] = await Array.fromAsync(blocks.find(before, { sort: { from: -1 }, limit: 1 }));
    if (!block) {
      if (await blocks.insert(newBlock({ account, env, order }, '', dueAt))) return '';
      continue;
    }
    const { _id, version, from, is_stale } = block;
    if (is_stale) return from;
    const marked = await blocks.claim({ _id, version }, { set: { is_stale: true, due_at: dueAt } });
    if (marked.length > 0) return from;
  }
}
