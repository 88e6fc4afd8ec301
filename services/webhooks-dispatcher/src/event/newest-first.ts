import type { Filter, Page } from '@svc/document-store';
import type { Turn } from '@svc/kernel';
import { PIECE } from '@svc/service';
import type { EventRow, Events } from './event.ts';

/** What of those that match: so many, behind so many. */
interface Range {
  skip: number;
  limit: number;
}

/** A page of the events that match, the last one of the log first, and how many match. */
export async function newestFirst(
  events: Events,
  filter: Filter,
  { page, per_page: limit }: { page: number; per_page: number },
  turn: Turn,
): Promise<{ found: Page<EventRow>; total: number }> {
  const total = await events.count(filter, turn);
  const skip = (page - 1) * limit;
  const read = (range: Range): Promise<Page<EventRow>> =>
    events.page(filter, { sort: { log_position: -1 }, ...range, matches: total, turn }, PIECE);
  const unpositioned = await events.count({ ...filter, log_position: null }, turn); // until 0.3
  const found = unpositioned === 0 ? await read({ skip, limit }) : await withUnpositioned(read, { skip, limit }, { total, unpositioned });
  return { found, total };
}

/**
 * until 0.3: rows of release 0.1.0 have no position in the log until they get one behind what is stored. So they are the newest here, although the order of the index has them last.
 */
async function withUnpositioned(
  read: (range: Range) => Promise<Page<EventRow>>,
  { skip, limit }: Range,
  { total, unpositioned }: { total: number; unpositioned: number },
): Promise<Page<EventRow>> {
  const positioned = total - unpositioned;
  const ofThem = Math.max(0, Math.min(limit, unpositioned - skip));
  const from = Math.max(0, skip - unpositioned);
  const others = Math.max(0, Math.min(limit - ofThem, positioned - from));
  const first = ofThem === 0 ? NONE : await read({ skip: positioned + skip, limit: ofThem });
  const then = others === 0 ? NONE : await read({ skip: from, limit: others });
  if (first.left.length === 0) return { docs: [...first.docs, ...then.docs], left: then.left };
  return { docs: first.docs, left: [...first.left, ...then.docs.map(({ _id }) => _id), ...then.left] };
}

const NONE: Page<EventRow> = { docs: [], left: [] };
