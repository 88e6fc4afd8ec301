import { Controller, Inject } from '@nestjs/common';
import { asOf, Consumes, needsEnds, type BatchContext, type EventPosition } from '@svc/event-bus';
import { Ctx, Payload } from '@nestjs/microservices';
import { CustomerErasedV1 } from '@svc/contracts/customer/events';
import type { PublicEvent, Topic } from '@svc/contracts/events/envelope';
import { millisOf } from '@svc/kernel';
import { DELIVERY_WORKER, WEBHOOKS } from '../context.ts';
import type { WebhooksContext } from './context.ts';
import { endsNow, sources } from '../endpoint/ends.ts';
import { MAX_ENDPOINTS, receives, type Endpoint } from '../endpoint/endpoint.ts';
import { eraseCustomer } from './erase-customer.ts';
import { isStored, storedEvent, webhookType, type EventRow, type WebhookEvent } from '../event/event.ts';
import { notHandled } from '../event/handled.ts';
import { createEventLog, type EventLog } from '../event/log.ts';
import type { DeliveryWorker } from './worker.ts';
import { newDelivery } from './delivery.ts';
import { countMade } from './stored-bytes.ts';

const group = 'webhooks-dispatcher';
const DAY_MS = 86_400_000;

/** Turns public events into event rows and deliveries. Both have natural keys, so a repeated batch changes nothing. */
@Controller()
export class FanOut {
  private readonly log: EventLog;

  constructor(
    @Inject(WEBHOOKS) private readonly context: WebhooksContext,
    @Inject(DELIVERY_WORKER) private readonly worker: DeliveryWorker,
  ) {
    this.log = createEventLog(context.events, context.waiters.stored);
  }

  @Consumes(...sources.map((topic) => ({ group, topic })))
  async on(@Payload() batch: PublicEvent[], @Ctx() { topic, positions }: BatchContext): Promise<void> {
    const all: WebhookEvent[] = batch.flatMap((event, n) => {
      const type = webhookType(event.type);
      return type ? [{ event, type, position: positions[n] }] : [];
    });
    const received = await notHandled(this.context.handled, all, this.keptFrom());
    if (received.length > 0) await this.store(topic, received);
    for (const event of batch) if (event.type === CustomerErasedV1.type) await eraseCustomer(this.context, event);
  }

  /** Events before this time are no longer kept. */
  private keptFrom(): number {
    const { clock, keepDays } = this.context;
    return clock.now() - keepDays * DAY_MS;
  }

  private async store(topic: Topic, received: WebhookEvent[]): Promise<void> {
    const endpoints = await this.endpointsOf(received);
    await this.log.inTurn(() => this.storeWith(topic, received, endpoints));
  }

  private async storeWith(topic: Topic, received: WebhookEvent[], endpoints: EndpointsByTenant): Promise<void> {
    const { bodies, deliveries, stored, clock } = this.context;
    const { isNew, events: first } = await this.atFirstPositions(received, endpoints);
    const placed = await this.withCurrentEnds(topic, first, endpoints);
    const keptFrom = this.keptFrom();
    const late = <Row extends EventRow>(row: Row): Row => (row.at < keptFrom ? { ...row, stored_at: clock.now() } : row);
    const made = placed.map((one) => {
      const { event, type, position } = one;
      const receiving = endpointsFor(endpoints, one).filter((endpoint) =>
        receives(endpoint, { type, at: millisOf(event.time), topic, position }),
      );
      if (receiving.length === 0) return { row: late(bodies.undelivered(one)), deliveries: [] };
      const row = late(storedEvent(one));
      return { row, deliveries: receiving.map((endpoint) => newDelivery(row, endpoint, clock.now())) };
    });
    const storeEvents = await this.log.prepare(made.map(({ row }) => row));
    const rows = made.flatMap((one) => one.deliveries);
    if (rows.length === 0) return storeEvents();
    if (isNew) {
      for (const { row, deliveries: own } of made) if (own.length > 0 && isStored(row)) this.worker.keep(row);
      return this.worker.add(rows, storeEvents);
    }
    await storeEvents();
    const done = await deliveries.write(rows.map((row) => ({ insert: row }))); // After the events: a delivery that is due needs its event.
    countMade(
      stored,
      rows.filter(({ _id }) => done.has(_id)),
    );
    this.worker.wake();
  }

  /**
   * Adds the current end of the topic to positions that need it to be compared: a batch may have been read before an endpoint was created.
   * The end is read after the endpoints, so it is not before theirs.
   */
  private async withCurrentEnds(topic: Topic, received: WebhookEvent[], endpoints: EndpointsByTenant): Promise<WebhookEvent[]> {
    const isUndecided = (one: WebhookEvent): boolean =>
      endpointsFor(endpoints, one).some(({ ends }) => needsEnds(ends?.[topic], one.position));
    if (!received.some(isUndecided)) return received;
    const now = await endsNow(this.context, topic);
    return received.map((one) => ({ ...one, position: asOf(now, one.position) }));
  }

  private async endpointsOf(received: WebhookEvent[]): Promise<EndpointsByTenant> {
    const found: EndpointsByTenant = new Map();
    for (const { event } of received) {
      const { account, env, republished } = event;
      if (republished || found.has(tenantOf(event))) continue;
      found.set(
        tenantOf(event),
        await Array.fromAsync(this.context.endpoints.find({ account, env, deleted: false }, { limit: MAX_ENDPOINTS })),
      );
    }
    return found;
  }

  /**
   * The events at the positions at which they were handled first, and whether none was handled before. An event that is published again has a
   * new position, but counts at its first one: endpoints created since do not receive it. Where there is no endpoint, positions decide nothing.
   */
  private async atFirstPositions(
    received: WebhookEvent[],
    endpoints: EndpointsByTenant,
  ): Promise<{ isNew: boolean; events: WebhookEvent[] }> {
    const { events } = this.context;
    const ids = received.filter((one) => endpointsFor(endpoints, one).length > 0).map(({ event }) => event.id);
    if (ids.length === 0 || (await events.count({ _id: { $in: ids } })) === 0) return { isNew: true, events: received };
    const first = new Map<string, EventPosition | undefined>();
    for (const id of ids) {
      const known = await events.get(id); // One at a time, because each row may hold a body.
      if (known) first.set(id, known.position && { part: known.position.part, at: BigInt(known.position.at) });
    }
    return { isNew: false, events: received.map((one) => (first.has(one.event.id) ? { ...one, position: first.get(one.event.id) } : one)) };
  }
}

type EndpointsByTenant = Map<string, Endpoint[]>;

/** Of the event's tenant; none for an event of before a restore: it is listed, and not delivered, since what was delivered is not known any more. */
const endpointsFor = (endpoints: EndpointsByTenant, { event }: WebhookEvent): Endpoint[] =>
  event.republished ? [] : (endpoints.get(tenantOf(event)) ?? []);

const tenantOf = ({ env, account }: PublicEvent): string => `${env} ${account}`;
