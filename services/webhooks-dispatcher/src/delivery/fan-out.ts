import { Controller, Inject } from '@nestjs/common';
import { Consumes } from '@svc/event-bus';
import { Payload } from '@nestjs/microservices';
import { topics, type PublicEvent } from '@svc/contracts/events/envelope';
import { WEBHOOKS, type WebhooksContext } from '../context.ts';
import { listensTo, PLACES, type Endpoint } from '../endpoint/endpoint.ts';
import { eventRow, webhookType, type EventRow } from '../event/event.ts';
import { DELIVERY_WORKER, type DeliveryWorker } from './worker.ts';
import { newDelivery } from './delivery.ts';

const group = 'webhooks-dispatcher';

/** Public events to event rows and deliveries. Both have natural keys, so that a repeated batch changes nothing. */
@Controller()
export class FanOut {
  constructor(
    @Inject(WEBHOOKS) private readonly context: WebhooksContext,
    @Inject(DELIVERY_WORKER) private readonly worker: DeliveryWorker,
  ) {}

  @Consumes({ group, topic: topics.invoice })
  invoices(@Payload() events: PublicEvent[]): Promise<void> {
    return this.fanOut(events);
  }

  @Consumes({ group, topic: topics.receipt })
  receipts(@Payload() events: PublicEvent[]): Promise<void> {
    return this.fanOut(events);
  }

  @Consumes({ group, topic: topics.customer })
  customers(@Payload() events: PublicEvent[]): Promise<void> {
    return this.fanOut(events);
  }

  private async fanOut(batch: PublicEvent[]): Promise<void> {
    const { events, deliveries, clock } = this.context;
    const rows: EventRow[] = [];
    for (const event of batch) {
      const type = webhookType(event.type);
      if (type) rows.push(eventRow(event, type));
    }
    if (rows.length === 0) return;
    const endpoints = await this.endpointsOf(rows);
    const made = rows.flatMap((row) =>
      (endpoints.get(`${row.env} ${row.account}`) ?? [])
        .filter((endpoint) => listensTo(endpoint, row))
        .map((endpoint) => newDelivery(row, endpoint, clock.now())),
    );
    await events.write(rows.map((insert) => ({ insert })));
    if (made.length === 0) return;
    await deliveries.write(made.map((insert) => ({ insert }))); // second: whoever claims one at once finds its event
    this.worker.poke();
  }

  private async endpointsOf(rows: EventRow[]): Promise<Map<string, Endpoint[]>> {
    const found = new Map<string, Endpoint[]>();
    for (const { account, env } of rows) {
      const key = `${env} ${account}`;
      if (found.has(key)) continue;
      found.set(key, await Array.fromAsync(this.context.endpoints.find({ account, env, deleted: false }, { limit: PLACES })));
    }
    return found;
  }
}
