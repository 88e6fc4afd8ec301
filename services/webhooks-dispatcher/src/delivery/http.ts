import { Controller, Inject } from '@nestjs/common';
import { notFound } from '@svc/kernel';
import { listPage, oneOfEach, PIECE, type RequestOf, Serves } from '@svc/service';
import { WEBHOOKS } from '../context.ts';
import type { WebhooksContext } from './context.ts';
import { endpointOf } from '../endpoint/find.ts';
import { deliveryResource } from './delivery.ts';

@Controller()
export class DeliveriesController {
  constructor(@Inject(WEBHOOKS) private readonly context: WebhooksContext) {}

  @Serves('GET /webhooks/{id}/deliveries')
  async list(request: RequestOf<'GET /webhooks/{id}/deliveries'>) {
    const endpoint = await endpointOf(this.context, request.identity, request.params.id);
    const { page, per_page, status, event_type } = request.query;
    const filter = { endpoint_id: endpoint._id, ...oneOfEach(['status', 'event_type'], { status, event_type }) };
    const { deliveries, publicUrl } = this.context;
    const total = await deliveries.count(filter, request.turn);
    const query = { sort: { _id: -1 }, skip: (page - 1) * per_page, limit: per_page, matches: total, turn: request.turn } as const;
    const found = await deliveries.page(filter, query, PIECE);
    const read = (ids: string[], bytes: number) => deliveries.read(ids, filter, bytes);
    return listPage({ publicUrl, request, total, page: found, read, turn: request.turn, toResource: deliveryResource });
  }

  @Serves('GET /webhooks/{id}/deliveries/{whd}')
  async read({ identity, params }: RequestOf<'GET /webhooks/{id}/deliveries/{whd}'>) {
    const endpoint = await endpointOf(this.context, identity, params.id);
    const found = await this.context.deliveries.get(params.whd);
    if (!found || found.endpoint_id !== endpoint._id) throw notFound('delivery');
    return deliveryResource(found);
  }
}
