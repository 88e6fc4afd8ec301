import { changeEach } from '@svc/document-store';
import { firstUidAt, millisOf, prefixed } from '@svc/kernel';
import type { WebhooksContext } from './context.ts';
import type { Delivery } from './delivery/delivery.ts';

/**
 * What a process does at its start on a database that was restored from a backup at this time (ISO 8601). It touches only what is older, so
 * that it may be repeated, and run by each replica beside others that serve.
 */
export async function afterRestore(context: Pick<WebhooksContext, 'endpoints' | 'deliveries'>, at: string): Promise<void> {
  await forgetEnds(context, at);
  await cancelPending(context, at);
}

/**
 * Removes the ends from the endpoints: the topics are new, and positions in the lost ones say nothing about them. Every event that is
 * delivered from now on is later than these endpoints.
 */
const forgetEnds = ({ endpoints }: Pick<WebhooksContext, 'endpoints'>, at: string): Promise<void> =>
  changeEach(endpoints, { deleted: false }, ({ ends, created_at }) => (ends && created_at < at ? { ends: undefined } : undefined));

/** Cancels the pending deliveries of a backup that holds deliveries: they may have succeeded since. Subscribers ask for what they lack. */
async function cancelPending({ deliveries }: Pick<WebhooksContext, 'deliveries'>, at: string): Promise<void> {
  const filter = { status: 'pending', _id: { $lt: prefixed('whd', firstUidAt(millisOf(at))) } };
  const set: Partial<Delivery> = { status: 'cancelled', due_at: null, next_at: null };
  do await deliveries.claim(filter, { set }, { limit: 1_000 });
  while ((await deliveries.count(filter)) > 0);
}
