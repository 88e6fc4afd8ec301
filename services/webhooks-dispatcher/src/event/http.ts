import { Controller, Inject } from '@nestjs/common';
import { eventTypeOf } from '@svc/contracts/openapi/webhooks';
import type { EventResource } from '@svc/contracts/webhook/event';
import { type WebhookEventType, webhookEventTypes } from '@svc/contracts/webhook/vocabulary';
import type { Filter, Page } from '@svc/document-store';
import { JsonText, notFound, type Turn } from '@svc/kernel';
import { listItems, PIECE, type RequestOf, Serves } from '@svc/service';
import { WEBHOOKS } from '../context.ts';
import type { EventContext } from './context.ts';
import type { EventRow } from './event.ts';
import { filtersOf, follow, refused } from './follow.ts';
import { newestFirst } from './newest-first.ts';

@Controller()
export class EventsController {
  constructor(@Inject(WEBHOOKS) private readonly context: EventContext) {}

  @Serves('GET /events')
  async list(request: RequestOf<'GET /events'>) {
    const { account, env } = request.identity;
    const { after, wait } = request.query;
    const { events, publicUrl } = this.context;
    if (after !== undefined) {
      const { found, total, filter, after: pages } = await follow(this.context, request);
      return listItems({ publicUrl, request, total, items: this.itemsOf(found, filter, request.turn), after: pages });
    }
    if (wait !== undefined) throw refused('wait', 'It goes with after, which names the event whose successors you wait for.');
    const filter: Filter = { account, env, ...filtersOf(request.query) };
    const { found, total } = await newestFirst(events, filter, request.query, request.turn);
    return listItems({ publicUrl, request, total, items: this.itemsOf(found, filter, request.turn) });
  }

  @Serves('GET /events/{id}')
  async read({ identity: { account, env }, params, turn }: RequestOf<'GET /events/{id}'>) {
    const found = await this.context.events.get(params.id);
    const own = found?.account === account && found.env === env ? [found] : [];
    for await (const event of this.context.bodies.shown(own, turn)) return event;
    throw notFound('event');
  }

  @Serves('GET /event-types')
  types(request: RequestOf<'GET /event-types'>) {
    const { page, per_page } = request.query;
    const types = webhookEventTypes.slice((page - 1) * per_page, page * per_page);
    const items = (async function* () {
      for (const type of types) yield typeText(type);
    })();
    return listItems({ publicUrl: this.context.publicUrl, request, total: webhookEventTypes.length, items });
  }

  private async *itemsOf({ docs, left }: Page<EventRow>, filter: Filter, turn: Turn): AsyncGenerator<EventResource | JsonText> {
    const { events, bodies } = this.context;
    yield* bodies.shown(docs, turn);
    for await (const rows of events.read(left, filter, PIECE)) yield* bodies.shown(rows, turn);
  }
}

const texts = new Map<WebhookEventType, JsonText>();
/** Made once: it never changes. */
function typeText(type: WebhookEventType): JsonText {
  let text = texts.get(type);
  if (!text) texts.set(type, (text = new JsonText(JSON.stringify(eventTypeOf(type)))));
  return text;
}
