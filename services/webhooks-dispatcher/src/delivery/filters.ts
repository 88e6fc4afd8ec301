import type { DeliveriesQuery } from '@svc/contracts/webhook/requests';
import type { Filter } from '@svc/document-store';
import { DomainError, firstUidAt, prefixed, uidOf, type Turn } from '@svc/kernel';
import { oneOfEach } from '@svc/service';
import type { Endpoint } from '../endpoint/endpoint.ts';
import { timeRange } from '../event/time-range.ts';
import type { WebhooksContext } from './context.ts';
import { deliveryId } from './delivery.ts';

/** Ids of one look-up. */
const MOST_IDS = 10_000;

/**
 * The deliveries of an endpoint that a query asks for. Their ids follow from those of the events: by an event or a resource they are found by id, and their order is that
 * of the events' times. Throws `invalid_request` where a resource has more than 10,000 events in the range.
 */
export async function filterOf(
  context: Pick<WebhooksContext, 'events'>,
  { _id: endpoint, account, env }: Endpoint,
  query: DeliveriesQuery,
  turn: Turn,
): Promise<Filter> {
  const { status, event_type, event_id, resource_id, created_from, created_to } = query;
  const range = timeRange(created_from, created_to);
  const plain = { endpoint_id: endpoint, ...oneOfEach(['status', 'event_type'], { status, event_type }) };
  if (!event_id && !resource_id) return { ...plain, ...(range && { _id: idsWithin('whd', range) }) };
  const own = { account, env, ...oneOfEach(['resource_id'], { resource_id }), ...(range && { _id: idsWithin('evt', range) }) };
  const ofResources = resource_id && new Set(await eventsOf(context, own, turn));
  const events = event_id?.filter((id) => uidOf('evt', id) !== undefined) ?? [...(ofResources ?? [])];
  const ids = events.filter((id) => ofResources?.has(id) ?? true).map((id) => deliveryId(id, endpoint));
  return { ...plain, _id: { $in: ids, ...(range && idsWithin('whd', range)) } };
}

/** By the time in the ids, which `created_at` of a delivery shows: that of its event may be another one. */
function idsWithin(prefix: 'whd' | 'evt', { $gte, $lt, $lte }: NonNullable<ReturnType<typeof timeRange>>): { $gte?: string; $lt?: string } {
  const firstAt = (time: number): string => prefixed(prefix, firstUidAt(Math.max(0, time)));
  return {
    ...($gte !== undefined && { $gte: firstAt($gte) }),
    ...($lt !== undefined && { $lt: firstAt($lt) }),
    ...($lte !== undefined && { $lt: firstAt($lte + 1) }),
  };
}

async function eventsOf({ events }: Pick<WebhooksContext, 'events'>, filter: Filter, turn: Turn): Promise<string[]> {
  const { docs, left } = await events.page(filter, { sort: { log_position: -1 }, limit: MOST_IDS + 1, turn }, 1);
  if (docs.length + left.length > MOST_IDS)
    throw new DomainError(
      'invalid_request',
      `These resources have more than ${MOST_IDS} events. Ask for a shorter time by created_from and created_to.`,
    );
  return [...docs.map(({ _id }) => _id), ...left];
}
