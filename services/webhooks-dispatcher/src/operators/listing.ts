import { notFound } from '@svc/kernel';
import type { NoteAction } from '@svc/service';
import type { WebhooksContext } from '../delivery/context.ts';
import { type Delivery, deliveryResource } from '../delivery/delivery.ts';
import type { DeliveryWorker } from '../delivery/worker.ts';
import { endpointAudited } from '../endpoint/audited-change.ts';
import { mayReceive } from '../endpoint/domain/endpoint.ts';
import { type Endpoint, NONE_ENDED, endpointResource, RECEIVING } from '../endpoint/endpoint.ts';

/** What an operator's commands about webhooks work with. */
export interface OperatorsContext {
  context: Pick<WebhooksContext, 'endpoints' | 'deliveries'>;
  worker: Pick<DeliveryWorker, 'redeliver'>;
  note: NoteAction;
}

const MOST = 100;

/** Where it is, without what a URL may hold of secrets. */
function shownEndpoint(endpoint: Endpoint) {
  const { id, livemode, status, disabled_reason, health } = endpointResource(endpoint, NONE_ENDED);
  const { failing_since, disabled_after, last_error } = health;
  return {
    id,
    account: endpoint.account,
    livemode,
    host: new URL(endpoint.url).host,
    status,
    disabled_reason,
    failing_since,
    disabled_after,
    last_error,
  };
}

/** The endpoints of an account, both environments, 100 at a time in the order of their ids. */
export async function endpointsOf({ context }: OperatorsContext, account: string, after = '') {
  const found = ['live', 'test'].map((env) =>
    Array.fromAsync(context.endpoints.find({ account, env, deleted: false, _id: { $gt: after } }, { sort: { _id: 1 }, limit: MOST })),
  );
  const all = (await Promise.all(found)).flat().sort((a, b) => (a._id < b._id ? -1 : 1));
  return { data: all.slice(0, MOST).map(shownEndpoint) };
}

/** The enabled endpoints of all accounts that fail, those that have failed longest first, 100 at most. */
export async function failingEndpoints({ context }: OperatorsContext) {
  const filter = { ...RECEIVING, failing_since: { $gt: '' } };
  const found = context.endpoints.find(filter, { sort: { failing_since: 1 }, limit: MOST });
  return { data: (await Array.fromAsync(found)).map(shownEndpoint), total: await context.endpoints.count(filter) };
}

/** Attempts without what receivers answered: it may repeat personal data. */
function shownDelivery(delivery: Delivery) {
  const { attempts, ...resource } = deliveryResource(delivery);
  const last = attempts.at(-1);
  return {
    ...resource,
    attempts: attempts.length,
    last_attempt: last ? { at: last.at, status_code: last.status_code, error: last.error } : null,
  };
}

/** The deliveries of an endpoint, the newest first, 100 at a time. Throws not_found. */
export async function deliveriesOf(
  { context }: OperatorsContext,
  of: { endpoint: string; status?: string | undefined; before?: string | undefined },
) {
  if (!(await context.endpoints.get(of.endpoint))) throw notFound('webhook endpoint');
  const { endpoint: endpoint_id, status, before } = of;
  const filter = { endpoint_id, ...(status !== undefined && { status }), ...(before !== undefined && { _id: { $lt: before } }) };
  const found = context.deliveries.find(filter, { sort: { _id: -1 }, limit: MOST });
  return { data: (await Array.fromAsync(found)).map(shownDelivery) };
}

/** Makes one attempt now, as its owner does by `POST …/redeliver`. Throws as that does. */
export async function resendDelivery(
  { context, worker, note }: OperatorsContext,
  { endpoint: id, delivery }: { endpoint: string; delivery: string },
) {
  const endpoint = await context.endpoints.get(id);
  if (!endpoint) throw notFound('webhook endpoint');
  const found = await context.deliveries.get(delivery);
  if (found?.endpoint_id !== id) throw notFound('delivery');
  const { account, env } = endpoint;
  const changes = { delivery: { from: null, to: delivery } };
  if (mayReceive(endpoint)) await note({ account, env, ...endpointAudited(endpoint), verb: 'resent', changes });
  return shownDelivery(await worker.redeliver(endpoint, delivery));
}
