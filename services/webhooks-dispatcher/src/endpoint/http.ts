import { Controller, Inject, Req } from '@nestjs/common';
import type { CreateWebhook } from '@svc/contracts/webhook/requests';
import { listPage, Serves, WHOLE } from '@svc/service';
import type { FastifyRequest } from 'fastify';
import { WEBHOOKS, type WebhooksContext } from '../context.ts';
import { DELIVERY_WORKER, type DeliveryWorker } from '../delivery/worker.ts';
import { createEndpoint } from './create.ts';
import { deleteEndpoint } from './delete.ts';
import { endpointResource } from './endpoint.ts';
import { endpointOf } from './find.ts';

@Controller()
export class EndpointsController {
  constructor(
    @Inject(WEBHOOKS) private readonly context: WebhooksContext,
    @Inject(DELIVERY_WORKER) private readonly worker: Pick<DeliveryWorker, 'cancel'>,
  ) {}

  @Serves('POST /webhooks')
  async create(@Req() request: FastifyRequest) {
    const { endpoint, secret } = await createEndpoint(this.context, request.identity, request.body as CreateWebhook);
    return { ...endpointResource(endpoint), secret };
  }

  @Serves('GET /webhooks')
  async list(@Req() request: FastifyRequest) {
    const { account, env } = request.identity;
    const { page, per_page } = request.query as { page: number; per_page: number };
    const filter = { account, env, deleted: false };
    const { endpoints, publicUrl } = this.context;
    const found = await endpoints.page(filter, { sort: { _id: -1 }, skip: (page - 1) * per_page, limit: per_page }, WHOLE);
    const total = await endpoints.count(filter);
    const read = (ids: string[], bytes: number) => endpoints.read(ids, bytes);
    return listPage({ publicUrl, request, total, page: found, read, toResource: endpointResource });
  }

  @Serves('GET /webhooks/{id}')
  async read(@Req() request: FastifyRequest<{ Params: { id: string } }>) {
    return endpointResource(await endpointOf(this.context, request.identity, request.params.id));
  }

  @Serves('DELETE /webhooks/{id}')
  async delete(@Req() request: FastifyRequest<{ Params: { id: string } }>) {
    const deleted = await deleteEndpoint(this.context, request.identity, request.params.id, request.ifMatch);
    this.worker.cancel(deleted._id);
    return endpointResource(deleted);
  }
}
