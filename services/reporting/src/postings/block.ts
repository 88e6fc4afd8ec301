import type { Collection, Doc, Index, Job } from '@svc/document-store';
import type { Day, Env } from '@svc/kernel';

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
