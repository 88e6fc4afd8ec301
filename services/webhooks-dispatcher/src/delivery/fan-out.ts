import { Controller, Inject } from '@nestjs/common';
import { asOf, Consumes, needsEnds, type BatchContext, type EventPosition } from '@svc/event-bus';
import { Ctx, Payload } from '@nestjs/microservices';
import type { PublicEvent, Topic } from '@svc/contracts/events/envelope';
import { WEBHOOKS, type WebhooksContext } from '../context.ts';
import { endsNow, sources } from '../endpoint/ends.ts';
import { listensTo, MAX_ENDPOINTS, type Endpoint } from '../endpoint/endpoint.ts';
import { eventRow, webhookType, type EventRow } from '../event/event.ts';
import { DELIVERY_WORKER, type DeliveryWorker } from './worker.ts';
import { newDelivery } from './delivery.ts';

const group = 'webhooks-dispatcher';

/** An event with its position in this batch. */
interface Received {
  row: EventRow;
  position: EventPosition | undefined;
  /** It is listed by `GET /events`, and not delivered: the deliveries of before a restore are not known any more. */
  republished: boolean;
}

/** Turns public events into event rows and deliveries. Both have natural keys, so a repeated batch changes nothing. */
@Controller()
export class FanOut {
  constructor(
    @Inject(WEBHOOKS) private readonly context: WebhooksContext,
    @Inject(DELIVERY_WORKER) private readonly worker: DeliveryWorker,
  ) {}

  @Consumes(...sources.map((topic) => ({ group, topic })))
  async on(@Payload() batch: PublicEvent[], @Ctx() { topic, positions }: BatchContext): Promise<void> {
    const { events, deliveries, clock } = this.context;
    const received: Received[] = batch.flatMap((event, n) => {
      const type = webhookType(event.type);
      return type ? [{ row: eventRow(event, type, positions[n]), position: positions[n], republished: event.republished ?? false }] : [];
    });
    if (received.length === 0) return;
    const sent = received.filter(({ republished }) => !republished);
    const endpoints = await this.endpointsOf(sent);
    const known = await this.firstPositions(sent);
    const first = sent.map((one) => ({ ...one, position: known.has(one.row._id) ? known.get(one.row._id) : one.position }));
    const positioned = await this.withCurrentEnds(topic, first, endpoints);
    const made = positioned.flatMap(({ row, position }) =>
      (endpoints.get(tenantOf(row)) ?? [])
        .filter((endpoint) => listensTo(endpoint, { ...row, topic, position }))
        .map((endpoint) => newDelivery(row, endpoint, clock.now())),
    );
    await events.write(received.map(({ row }) => ({ insert: row })));
    if (made.length === 0) return;
    await deliveries.write(made.map((insert) => ({ insert }))); // After the events: a claimed delivery needs its event.
    this.worker.wake();
  }

  /**
   * Adds the current end of the topic to positions that need it to be compared: a batch may have been read before an endpoint was created.
   * The end is read after the endpoints, so it is not before theirs.
   */
  private async withCurrentEnds(topic: Topic, received: Received[], endpoints: Map<string, Endpoint[]>): Promise<Received[]> {
    const isUndecided = ({ row, position }: Received): boolean =>
      (endpoints.get(tenantOf(row)) ?? []).some(({ ends }) => needsEnds(ends?.[topic], position));
    if (!received.some(isUndecided)) return received;
    const now = await endsNow(this.context, topic);
    return received.map((one) => ({ ...one, position: asOf(now, one.position) }));
  }

  private async endpointsOf(received: Received[]): Promise<Map<string, Endpoint[]>> {
    const found = new Map<string, Endpoint[]>();
    for (const { row } of received) {
      const { account, env } = row;
      if (found.has(tenantOf(row))) continue;
      found.set(
        tenantOf(row),
        await Array.fromAsync(this.context.endpoints.find({ account, env, deleted: false }, { limit: MAX_ENDPOINTS })),
      );
    }
    return found;
  }

  /**
   * Positions of events that were handled before. An event that is published again has a new position, but counts at its first one:
   * endpoints created since do not receive it.
   */
  private async firstPositions(received: Received[]): Promise<Map<string, EventPosition | undefined>> {
    const { events } = this.context;
    const first = new Map<string, EventPosition | undefined>();
    if ((await events.count({ _id: { $in: received.map(({ row }) => row._id) } })) === 0) return first;
    for (const { row } of received) {
      const known = await events.get(row._id); // One at a time, because each row holds a body.
      if (known) first.set(known._id, known.position && { part: known.position.part, at: BigInt(known.position.at) });
    }
    return first;
  }
}

const tenantOf = ({ env, account }: EventRow): string => `${env} ${account}`;
