import type { Doc, Retention } from '@svc/document-store';
import { firstUidAt, iso, millisOf, prefixed, timeOf } from '@svc/kernel';
import type { WebhooksContext } from './delivery/context.ts';
import { type Delivery, deliveryId } from './delivery/delivery.ts';
import { type Endpoint, MAX_ENDPOINTS, WEBHOOK_ENDPOINTS } from './endpoint/endpoint.ts';
import type { Recovery } from './endpoint/recovery.ts';
import type { EventRow, Tenant } from './event/event.ts';
import { type Pace, WEBHOOK_PACES } from './delivery/pacing.ts';
import { noteHandled } from './event/handled.ts';

const DAY_MS = 86_400_000;

/** All goes so much later than it may, so that a recovery of all that is kept finds its first events when it begins. */
const MARGIN_MS = 3_600_000;
/** What came, or was attempted, when it was older than that stays so long from then on. */
const LATE_MS = 3 * DAY_MS;

type Context = Pick<WebhooksContext, 'events' | 'deliveries' | 'paces' | 'endpoints' | 'recoveries' | 'handled' | 'keepDays'>;

/**
 * What is removed of events and deliveries, by the time in their ids. A delivery that waits stays, and so does what a running recovery covers; an event stays as long as a delivery
 * of it to an endpoint that is not deleted, since attempts send its body; a deleted endpoint as long as its log.
 */
export function retentionsOf(context: Context): Retention<Doc>[] {
  const { events, deliveries, paces, endpoints, keepDays } = context;
  const firstTime = (now: number): number => now - keepDays * DAY_MS - MARGIN_MS;
  const firstKept = (now: number): string => firstUidAt(firstTime(now));
  const ofDeliveries: Retention<Delivery> = {
    ...{ name: 'deliveries', collection: deliveries, field: '_id' },
    keptFrom: (now) => prefixed('whd', firstKept(now)),
    removable: (rows, now) => removableDeliveries(context, rows, now),
  };
  const ofEvents: Retention<EventRow> = {
    ...{ name: 'events', collection: events, field: '_id' },
    keptFrom: (now) => prefixed('evt', firstKept(now)),
    removable: (rows, now) => removableEvents(context, rows, now),
  };
  const ofPaces: Retention<Pace> = {
    ...{ name: WEBHOOK_PACES, collection: paces, field: 'next_at' },
    keptFrom: (now) => now - DAY_MS,
  };
  const ofEndpoints: Retention<Endpoint> = {
    ...{ name: WEBHOOK_ENDPOINTS, collection: endpoints, field: 'deleted_at' },
    keptFrom: (now) => iso(firstTime(now)),
    removable: (rows) => removableEndpoints(context, rows),
  };
  return [ofDeliveries, ofEvents, ofPaces, ofEndpoints];
}

async function removableDeliveries(context: Context, rows: readonly Delivery[], now: number): Promise<Delivery[]> {
  const isLate = ({ attempts }: Delivery): boolean => millisOf(attempts.at(-1)?.at ?? NEVER) > now - LATE_MS;
  const ended = rows.filter((row) => row.status !== 'pending' && !isLate(row));
  const running = await runningOf(
    context,
    ended.map(({ endpoint_id }) => endpoint_id),
  );
  return ended.filter(
    ({ _id, endpoint_id, event_type }) => !covers(running.get(endpoint_id), timeOf(_id.slice('whd_'.length)), event_type),
  );
}
const NEVER = '1970-01-01T00:00:00Z';

async function removableEvents(context: Context, rows: readonly EventRow[], now: number): Promise<EventRow[]> {
  const old = rows.filter(({ stored_at = 0 }) => stored_at <= now - LATE_MS);
  const endpoints = await endpointsOf(context, old);
  const of = (row: EventRow): string[] => endpoints.get(tenantOf(row)) ?? [];
  const ids = old.flatMap((row) => of(row).map((endpoint) => deliveryId(row._id, endpoint)));
  const delivered = new Set((await context.deliveries.indexed(ids, ['status'])).map(({ _id }) => _id));
  const running = await runningOf(context, [...endpoints.values()].flat());
  const isNeeded = (row: EventRow): boolean =>
    of(row).some((endpoint) => delivered.has(deliveryId(row._id, endpoint)) || covers(running.get(endpoint), row.at, row.type));
  const gone = old.filter((row) => !isNeeded(row));
  await noteHandled(context.handled, gone);
  return gone;
}

/** Those that have no delivery left, and no change that the audit has not. Their last recoveries go before them. */
async function removableEndpoints({ deliveries, recoveries }: Context, rows: readonly Endpoint[]): Promise<Endpoint[]> {
  const gone: Endpoint[] = [];
  for (const row of rows) {
    if (!row.deleted || row.unpublished) continue;
    const [left] = await Array.fromAsync(deliveries.find({ endpoint_id: row._id }, { limit: 1 }));
    if (!left) gone.push(row);
  }
  if (gone.length > 0) await recoveries.write(gone.map(({ _id }) => ({ delete: _id })));
  return gone;
}

async function endpointsOf({ endpoints }: Context, rows: readonly EventRow[]): Promise<Map<string, string[]>> {
  const found = new Map<string, string[]>();
  for (const { account, env } of rows) {
    if (found.has(tenantOf({ account, env }))) continue;
    const own = await Array.fromAsync(endpoints.find({ account, env, deleted: false }, { limit: MAX_ENDPOINTS }));
    found.set(
      tenantOf({ account, env }),
      own.map(({ _id }) => _id),
    );
  }
  return found;
}

const tenantOf = ({ env, account }: Tenant): string => `${env} ${account}`;

/** The recoveries of these endpoints that run. */
async function runningOf({ recoveries }: Context, endpoints: readonly string[]): Promise<Map<string, Recovery>> {
  const ids = [...new Set(endpoints)];
  if (ids.length === 0) return new Map();
  const found = await Array.fromAsync(recoveries.find({ _id: { $in: ids } }, { limit: ids.length }));
  return new Map(found.flatMap((one) => (one.status === 'running' ? [[one._id, one] as const] : [])));
}

/** Whether it hands over the event of this time and type, or counts its deliveries at its end. */
const covers = (recovery: Recovery | undefined, at: number, type: EventRow['type']): boolean =>
  recovery !== undefined && recovery.since <= at && at <= recovery.until && recovery.types.includes(type);
