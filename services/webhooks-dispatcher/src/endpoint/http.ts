import { Controller, Inject } from '@nestjs/common';
import { listPage, PIECE, type RequestOf, Serves } from '@svc/service';
import { DELIVERY_WORKER, WEBHOOKS } from '../context.ts';
import type { EndpointContext } from './context.ts';
import { enableEndpoint, rotateSecret, updateEndpoint, deleteEndpoint } from './change.ts';
import { createEndpoint } from './create.ts';
import { type Endpoint, type Ended, endpointResource, NONE_ENDED } from './endpoint.ts';
import { endpointOf } from './find.ts';

@Controller()
export class EndpointsController {
  constructor(
    @Inject(WEBHOOKS) private readonly context: EndpointContext,
    @Inject(DELIVERY_WORKER) private readonly worker: { cancel(endpoint: string): void; ended(endpoint: string): Promise<Ended> },
  ) {}

  private shown = async (endpoint: Endpoint) => endpointResource(endpoint, await this.worker.ended(endpoint._id));

  @Serves('POST /webhooks')
  async create({ identity, body, calculated }: RequestOf<'POST /webhooks'>) {
    const { endpoint, secret } = await createEndpoint(this.context, identity, { body, calculated });
    return { ...endpointResource(endpoint, NONE_ENDED), secret };
  }

  @Serves('GET /webhooks')
  async list(request: RequestOf<'GET /webhooks'>) {
    const { account, env } = request.identity;
    const { page, per_page, deleted } = request.query;
    const filter = { account, env, deleted: deleted === 'true' };
    const { endpoints, publicUrl } = this.context;
    const total = await endpoints.count(filter, request.turn);
    const query = { sort: { _id: -1 }, skip: (page - 1) * per_page, limit: per_page, matches: total, turn: request.turn } as const;
    const found = await endpoints.page(filter, query, PIECE);
    const read = (ids: string[], bytes: number) => endpoints.read(ids, filter, bytes);
    return listPage({ publicUrl, request, total, page: found, read, turn: request.turn, toResource: this.shown });
  }

  @Serves('GET /webhooks/{id}')
  async read({ identity, params }: RequestOf<'GET /webhooks/{id}'>) {
    return this.shown(await endpointOf(this.context, identity, params.id));
  }

  @Serves('PATCH /webhooks/{id}')
  async update({ identity, params, ifMatch, body, calculated }: RequestOf<'PATCH /webhooks/{id}'>) {
    const ended = await this.worker.ended(params.id);
    const endpoint = await updateEndpoint(this.context, identity, { id: params.id, ifMatch }, { body, calculated, ended });
    if (endpoint.status === 'disabled') this.worker.cancel(endpoint._id);
    return endpointResource(endpoint, ended);
  }

  @Serves('POST /webhooks/{id}/enable')
  async enable({ identity, params, ifMatch }: RequestOf<'POST /webhooks/{id}/enable'>) {
    return this.shown(await enableEndpoint(this.context, identity, { id: params.id, ifMatch }));
  }

  @Serves('POST /webhooks/{id}/rotate-secret')
  async rotate({ identity, params, ifMatch, body }: RequestOf<'POST /webhooks/{id}/rotate-secret'>) {
    const { endpoint, secret } = await rotateSecret(this.context, identity, { id: params.id, ifMatch }, body);
    return { ...(await this.shown(endpoint)), secret };
  }

  @Serves('DELETE /webhooks/{id}')
  async delete({ identity, params, ifMatch }: RequestOf<'DELETE /webhooks/{id}'>) {
    const deleted = await deleteEndpoint(this.context, identity, params.id, ifMatch);
    this.worker.cancel(deleted._id);
    return this.shown(deleted);
  }
}
