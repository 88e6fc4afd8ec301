import type { Clock } from '@svc/kernel';
import { postingId, type Posting, type Postings } from './posting.ts';
import { newBlock, positionOf, type Blocks, type Order, type Sequence } from './block.ts';

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
