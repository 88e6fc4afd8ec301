import { Controller, Inject } from '@nestjs/common';
import type { Filter } from '@svc/document-store';
import { notFound } from '@svc/kernel';
import { listPage, PIECE, type RequestOf, Serves } from '@svc/service';
import { DELIVERY_WORKER, WEBHOOKS } from '../context.ts';
import { endpointOf, own } from '../endpoint/find.ts';
import type { WebhooksContext } from './context.ts';
import { type Delivery, deliveryId, deliveryResource } from './delivery.ts';
import { filterOf } from './filters.ts';
import type { DeliveryWorker } from './worker.ts';

/** Endpoints of an environment, those that were deleted among them, whose deliveries of one event are looked up. */
const MOST_ENDPOINTS = 10_000;

@Controller()
export class DeliveriesController {
  constructor(
    @Inject(WEBHOOKS) private readonly context: WebhooksContext,
    @Inject(DELIVERY_WORKER) private readonly worker: Pick<DeliveryWorker, 'redeliver' | 'sendSample'>,
  ) {}

  private shown = async (delivery: Delivery) => {
    if (delivery.resource_id !== undefined) return deliveryResource(delivery);
    const event = await this.context.events.get(delivery.event_id); // until 0.3
    return deliveryResource(delivery, event?.resource_id);
  };

  @Serves('GET /webhooks/{id}/deliveries')
  async list(request: RequestOf<'GET /webhooks/{id}/deliveries'>) {
    const endpoint = own(await this.context.endpoints.get(request.params.id), request.identity);
    return this.page(request, await filterOf(this.context, endpoint, request.query, request.turn));
  }

  @Serves('GET /events/{id}/deliveries')
  async ofEvent(request: RequestOf<'GET /events/{id}/deliveries'>) {
    const { account, env } = request.identity;
    const { endpoints, events } = this.context;
    const event = await events.get(request.params.id);
    if (!event || event.account !== account || event.env !== env) throw notFound('event');
    const { docs, left } = await endpoints.page({ account, env }, { sort: { _id: -1 }, limit: MOST_ENDPOINTS }, 1);
    const ids = [...docs.map(({ _id }) => _id), ...left].map((endpoint) => deliveryId(event._id, endpoint));
    return this.page(request, { _id: { $in: ids } });
  }

  @Serves('GET /webhooks/{id}/deliveries/{whd}')
  async read({ identity, params }: RequestOf<'GET /webhooks/{id}/deliveries/{whd}'>) {
    const endpoint = own(await this.context.endpoints.get(params.id), identity);
    const found = await this.context.deliveries.get(params.whd);
    if (!found || found.endpoint_id !== endpoint._id) throw notFound('delivery');
    return this.shown(found);
  }

  @Serves('POST /webhooks/{id}/deliveries/{whd}/redeliver')
  async redeliver({ identity, params }: RequestOf<'POST /webhooks/{id}/deliveries/{whd}/redeliver'>) {
    const endpoint = own(await this.context.endpoints.get(params.id), identity);
    return this.shown(await this.worker.redeliver(endpoint, params.whd));
  }

  @Serves('POST /webhooks/{id}/test')
  async test({ identity, params, body }: RequestOf<'POST /webhooks/{id}/test'>) {
    const endpoint = await endpointOf(this.context, identity, params.id);
    return deliveryResource(await this.worker.sendSample(endpoint, body.event_type, identity.commandId));
  }

  private async page(request: RequestOf<'GET /webhooks/{id}/deliveries' | 'GET /events/{id}/deliveries'>, filter: Filter) {
    const { deliveries, publicUrl } = this.context;
    const { page, per_page } = request.query;
    const { turn } = request;
    const total = await deliveries.count(filter, turn);
    const query = { sort: { _id: -1 }, skip: (page - 1) * per_page, limit: per_page, matches: total, turn } as const;
    const found = await deliveries.page(filter, query, PIECE);
    const read = (ids: string[], bytes: number) => deliveries.read(ids, filter, bytes);
    return listPage({ publicUrl, request, total, page: found, read, turn, toResource: this.shown });
  }
}
