import type { EventsQuery } from '@svc/contracts/webhook/requests';
import type { Filter } from '@svc/document-store';
import { DomainError } from '@svc/kernel';
import { oneOfEach, PIECE, type RequestOf } from '@svc/service';
import type { EventContext } from './context.ts';
import { lastPosition, type EventRow } from './event.ts';
import { timeRange } from './time-range.ts';
import { positionRest } from './log.ts';

type Request = RequestOf<'GET /events'>;

/** until 0.3: rows of release 0.1.0 get their positions for so long while a request waits. */
const PLACING_MS = 2_000;

/** The filters of the query, without `after`. */
export function filtersOf({ type, resource_id, created_from, created_to }: EventsQuery): Filter {
  const at = timeRange(created_from, created_to);
  return { ...oneOfEach(['type', 'resource_id'], { type, resource_id }), ...(at ? { at } : {}) };
}

/** The events behind the one that `after` names, in the order of the log. Waits for one where there is none, as long as `wait` says. */
export async function follow(context: EventContext, request: Request) {
  const { wait = 0 } = request.query;
  const position = await positionOf(context, request);
  const now = await pageBehind(context, request, position);
  if (wait === 0 || now.total > 0) return now;
  const { account, env } = request.identity;
  const matches = matching(filtersOf(request.query));
  const waiter = await context.waiters.follow({ account, env, seconds: wait, matches, response: request.reply.raw });
  if (!waiter) return now;
  try {
    for (;;) {
      const page = await pageBehind(context, request, position); // the first one: what was stored before the request waited
      if (page.total > 0) return page;
      request.releasePermit();
      if (!(await waiter.news())) return page;
    }
  } finally {
    waiter.end();
  }
}

/** Throws `invalid_request` where `after` names no event of the caller, and `service_unavailable` while its log is not in order yet. */
async function positionOf({ events, clock }: EventContext, { identity, query, turn }: Request): Promise<number> {
  const { account, env } = identity;
  const { after = '', page } = query;
  if (page > 1) throw refused('page', 'Leave it out: the next events are those after the last one of this page, as links.next says.');
  const own = async (): Promise<EventRow | undefined> => {
    const found = await events.get(after);
    return found?.account === account && found.env === env ? found : undefined;
  };
  const row = await own();
  if (!row) throw refused('after', UNKNOWN);
  if (row.log_position !== undefined && (await positionRest(events, identity))) return row.log_position;
  const until = clock.now() + PLACING_MS;
  while (!(await positionRest(events, identity))) {
    await turn(0);
    if (clock.now() > until) throw new DomainError('service_unavailable', NOT_YET, undefined, 1);
  }
  const { log_position } = (await own()) ?? row;
  if (log_position === undefined) throw refused('after', UNKNOWN);
  return log_position;
}

/** The first events behind a position, and how many there are. Without filters all positions behind it have their event. */
async function pageBehind({ events }: EventContext, { identity, query, turn }: Request, position: number) {
  const { account, env } = identity;
  const filters = filtersOf(query);
  const filter: Filter = { account, env, ...filters, log_position: { $gt: position } };
  const isWhole = Object.keys(filters).length === 0;
  const total = isWhole ? Math.max(0, (await lastPosition(events, identity)) - position) : await events.count(filter, turn);
  const { per_page: limit } = query;
  const found = total > 0 ? await events.page(filter, { sort: { log_position: 1 }, limit, matches: total, turn }, PIECE) : NONE;
  return { found, total, filter, after: await linksOf() };

  /** The events behind which the next page and the last one begin. */
  async function linksOf(): Promise<{ first: string; next: string | null; last: string }> {
    const first = query.after ?? '';
    if (total <= limit) return { first, next: null, last: first };
    const next = found.left.at(-1) ?? found.docs.at(-1)?._id ?? first;
    const onLast = ((total - 1) % limit) + 1;
    const { docs, left } = await events.page(filter, { sort: { log_position: -1 }, skip: onLast, limit: 1, turn }, 1);
    return { first, next, last: docs[0]?._id ?? left[0] ?? next };
  }
}

const NONE = { docs: [], left: [] };

/** Whether a row fits the filters, which are equalities, lists of values and ranges of numbers. */
function matching(filters: Filter): (row: EventRow) => boolean {
  const fits = (value: unknown, condition: Filter[string]): boolean => {
    if (typeof condition !== 'object' || condition === null) return value === condition;
    const {
      $in,
      $gte = -Infinity,
      $lt = Infinity,
      $lte = Infinity,
    } = condition as { $in?: unknown[]; $gte?: number; $lt?: number; $lte?: number };
    return $in ? $in.includes(value) : Number(value) >= $gte && Number(value) < $lt && Number(value) <= $lte;
  };
  return (row) => Object.entries(filters).every(([field, condition]) => fits(row[field as keyof EventRow], condition));
}

export const refused = (parameter: string, message: string): DomainError =>
  new DomainError('invalid_request', `This query parameter is not valid: ${parameter}. See details.`, { [parameter]: [message] });

const UNKNOWN =
  'There is no such event of this account and environment, or it is no longer kept. List the events without it, and follow from the newest one that you have.';
/** until 0.3: events of release 0.1.0 have no position in the log until they get one. */
const NOT_YET = 'The events of an earlier release are being put in order. Nothing was done; ask again.';
