import { changeEach } from '@svc/document-store';
import { firstUidAt, millisOf, prefixed } from '@svc/kernel';
import type { WebhooksContext } from './delivery/context.ts';
import { pending, type Delivery } from './delivery/delivery.ts';
import type { Recovery } from './endpoint/recovery.ts';

/**
 * What the first process does on a database that was restored from a backup, at this time (ISO 8601). It touches only what is older: replicas
 * that start at once all do it, and one of them may serve already. A later start must not, since events may be older than this service's start.
 */
export async function afterRestore(context: Pick<WebhooksContext, 'endpoints' | 'deliveries' | 'recoveries'>, at: string): Promise<void> {
  await forgetEnds(context, at);
  await stopRecoveries(context, at);
  await cancelPending(context, at);
}

/**
 * Removes the ends from the endpoints: the topics are new, and positions in the lost ones say nothing about them. Every event that is
 * delivered from now on is later than these endpoints.
 */
const forgetEnds = ({ endpoints }: Pick<WebhooksContext, 'endpoints'>, at: string): Promise<void> =>
  changeEach(endpoints, { deleted: false }, ({ ends, created_at }) => (ends && created_at < at ? { ends: undefined } : undefined));

/** Ends the recoveries that a backup holds as running: what they have sent since would be sent again. Subscribers begin new ones. */
const stopRecoveries = ({ recoveries }: Pick<WebhooksContext, 'recoveries'>, at: string): Promise<void> =>
  changeEach<Recovery>(recoveries, { status: 'running' }, ({ status, command }) =>
    status === 'running' && command < firstUidAt(millisOf(at)) ? { status: 'stopped', due_at: millisOf(at) } : undefined,
  );

/** Cancels the pending deliveries of a backup that holds deliveries: they may have succeeded since. Subscribers find the events by `GET /events`. */
async function cancelPending({ deliveries }: Pick<WebhooksContext, 'deliveries'>, at: string): Promise<void> {
  const filter = { ...pending, _id: { $lt: prefixed('whd', firstUidAt(millisOf(at))) } };
  const set: Partial<Delivery> = { status: 'cancelled', due_at: null, next_at: null };
  while ((await deliveries.count(filter)) > 0) await deliveries.claim(filter, { set }, { limit: 1_000 });
}
