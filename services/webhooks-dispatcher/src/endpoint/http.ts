import { Controller, Inject, Req } from '@nestjs/common';
import type { CreateWebhook } from '@svc/contracts';
import { notFound } from '@svc/kernel';
import { checkVersion, listEnvelope, Serves, type Identity } from '@svc/service-kit';
import type { FastifyRequest } from 'fastify';
import { WEBHOOKS, type WebhooksContext } from '../context.ts';
import { createEndpoint } from './create.ts';
import { deletedEndpoint, endpointResource, type Endpoint } from './endpoint.ts';

/** The caller's endpoint, or `not_found`: another account's, another environment's and a deleted one are none. */
export async function endpointOf({ endpoints }: WebhooksContext, { account, env }: Identity, id: string): Promise<Endpoint> {
  const found = await endpoints.get(id);
  if (!found || found.deleted || found.account !== account || found.env !== env) throw notFound('webhook endpoint');
  return found;
}

@Controller()
export class EndpointsController {
  constructor(@Inject(WEBHOOKS) private readonly context: WebhooksContext) {}

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
    const found = this.context.endpoints.find(filter, { sort: { _id: -1 }, skip: (page - 1) * per_page, limit: per_page });
    const data = (await Array.fromAsync(found)).map(endpointResource);
    return listEnvelope({ publicUrl: this.context.publicUrl, request, total: await this.context.endpoints.count(filter), data });
  }

  @Serves('GET /webhooks/{id}')
  async read(@Req() request: FastifyRequest<{ Params: { id: string } }>) {
    return endpointResource(await endpointOf(this.context, request.identity, request.params.id));
  }

  @Serves('DELETE /webhooks/{id}')
  async delete(@Req() request: FastifyRequest<{ Params: { id: string } }>) {
    const { endpoints, deliveries, clock } = this.context;
    for (;;) {
      const endpoint = await endpointOf(this.context, request.identity, request.params.id);
      checkVersion(request.ifMatch, endpoint.version);
      const [gone] = await endpoints.claim(
        { _id: endpoint._id, version: endpoint.version },
        { set: deletedEndpoint(endpoint, clock.now()) },
      );
      if (!gone) continue; // changed meanwhile: look again
      await deliveries.claim({ endpoint_id: gone._id, status: 'pending' }, { set: { status: 'cancelled', due_at: null } });
      return endpointResource(gone);
    }
  }
}
