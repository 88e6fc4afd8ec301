import { Controller, Inject, Req } from '@nestjs/common';
import { notFound } from '@svc/kernel';
import { listPage, Serves, WHOLE } from '@svc/service';
import type { FastifyRequest } from 'fastify';
import { WEBHOOKS, type WebhooksContext } from '../context.ts';
import { endpointOf } from '../endpoint/find.ts';
import { deliveryResource } from './delivery.ts';

interface ListQuery {
  page: number;
  per_page: number;
  status?: string;
  event_type?: string;
}

@Controller()
export class DeliveriesController {
  constructor(@Inject(WEBHOOKS) private readonly context: WebhooksContext) {}

  @Serves('GET /webhooks/{id}/deliveries')
  async list(@Req() request: FastifyRequest<{ Params: { id: string } }>) {
    const endpoint = await endpointOf(this.context, request.identity, request.params.id);
    const { page, per_page, status, event_type } = request.query as ListQuery;
    const filter = { endpoint_id: endpoint._id, ...(status ? { status } : {}), ...(event_type ? { event_type } : {}) };
    const { deliveries, publicUrl } = this.context;
    const found = await deliveries.page(filter, { sort: { _id: -1 }, skip: (page - 1) * per_page, limit: per_page }, WHOLE);
    const total = await deliveries.count(filter);
    const read = (ids: string[], bytes: number) => deliveries.read(ids, bytes);
    return listPage({ publicUrl, request, total, page: found, read, toResource: deliveryResource });
  }

  @Serves('GET /webhooks/{id}/deliveries/{whd}')
  async read(@Req() request: FastifyRequest<{ Params: { id: string; whd: string } }>) {
    const endpoint = await endpointOf(this.context, request.identity, request.params.id);
    const found = await this.context.deliveries.get(request.params.whd);
    if (!found || found.endpoint_id !== endpoint._id) throw notFound('delivery');
    return deliveryResource(found);
  }
}
