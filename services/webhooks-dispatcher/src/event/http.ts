import { Controller, Inject, Req } from '@nestjs/common';
import { webhookEventTypes } from '@svc/contracts/webhook/vocabulary';
import type { Condition } from '@svc/document-store';
import { notFound, parseExact } from '@svc/kernel';
import { listEnvelope, listPage, Serves, WHOLE } from '@svc/service';
import type { FastifyRequest } from 'fastify';
import { WEBHOOKS, type WebhooksContext } from '../context.ts';
import { meanings } from './event.ts';
import { timeRange } from './time-range.ts';

interface ListQuery {
  page: number;
  per_page: number;
  type?: string;
  resource_id?: string;
  created_from?: string;
  created_to?: string;
}

@Controller()
export class EventsController {
  constructor(@Inject(WEBHOOKS) private readonly context: WebhooksContext) {}

  @Serves('GET /events')
  async list(@Req() request: FastifyRequest) {
    const { account, env } = request.identity;
    const { page, per_page, type, resource_id, created_from, created_to } = request.query as ListQuery;
    const at = timeRange(created_from, created_to);
    const filter: Record<string, Condition> = {
      account,
      env,
      ...(type ? { type } : {}),
      ...(resource_id ? { resource_id } : {}),
      ...(at ? { at } : {}),
    };
    const { events, publicUrl } = this.context;
    const found = await events.page(filter, { sort: { _id: -1 }, skip: (page - 1) * per_page, limit: per_page }, WHOLE);
    const total = await events.count(filter);
    const read = (ids: string[], bytes: number) => events.read(ids, bytes);
    return listPage({ publicUrl, request, total, page: found, read, toResource: ({ body }) => parseExact(body) });
  }

  @Serves('GET /events/{id}')
  async read(@Req() request: FastifyRequest<{ Params: { id: string } }>) {
    const { account, env } = request.identity;
    const found = await this.context.events.get(request.params.id);
    if (!found || found.account !== account || found.env !== env) throw notFound('event');
    return parseExact(found.body);
  }

  @Serves('GET /event-types')
  types(@Req() request: FastifyRequest) {
    const { page, per_page } = request.query as { page: number; per_page: number };
    const data = webhookEventTypes
      .slice((page - 1) * per_page, page * per_page)
      .map((type) => ({ object: 'event_type', type, description: meanings[type] }));
    return listEnvelope({ publicUrl: this.context.publicUrl, request, total: webhookEventTypes.length, data });
  }
}
