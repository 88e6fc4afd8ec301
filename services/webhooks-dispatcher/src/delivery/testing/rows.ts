import type { PublicEvent } from '@svc/contracts/events/envelope';
import { embeddedDocumentStore, type DocumentStore } from '@svc/document-store';
import type { Engine } from '@svc/embedded';
import { FakeClock } from '@svc/kernel';
import type { WebhooksContext } from '../context.ts';
import { endpointIndexes, type Endpoint } from '../../endpoint/endpoint.ts';
import { storedBodies } from '../../event/bodies.ts';
import { eventIndexes, type EventRow } from '../../event/event.ts';
import { createEventWaiters } from '../../event/event-waiters.ts';
import { HANDLED, type Handled } from '../../event/handled.ts';
import { newSecret } from '../../sending/sign.ts';
import { type Recovery, recoveryIndexes, WEBHOOK_RECOVERIES } from '../../endpoint/recovery.ts';
import { deliveryIndexes, type Delivery } from '../delivery.ts';
import { type Pace, paceIndexes, WEBHOOK_PACES } from '../pacing.ts';
import { CONTRACT_DELAYS } from '../schedule.ts';
import { createDeliveryWorker, type DeliveryWorker } from '../worker.ts';

/** The service's collections on an engine of the test. All events have their bodies in them. */
export const rowsOn = (engine: Engine) => rowsIn(embeddedDocumentStore(engine, 'svc_webhooks'));

/** The same in any document store. */
export function rowsIn(documents: DocumentStore) {
  const events = documents.collection<EventRow>('events', { indexes: eventIndexes });
  return {
    endpoints: documents.collection<Endpoint>('webhook_endpoints', { indexes: endpointIndexes, mostlyRead: true }),
    unitOfWork: documents.unitOfWork,
    holder: 'test',
    bodies: storedBodies,
    events,
    handled: documents.collection<Handled>(HANDLED),
    keepDays: 30,
    waiters: createEventWaiters({ events, clock: new FakeClock(), logger: silent, stopping: new AbortController().signal }),
    deliveries: documents.collection<Delivery>('deliveries', { indexes: deliveryIndexes }),
    stored: { add: () => undefined },
    paces: documents.collection<Pace>(WEBHOOK_PACES, paceIndexes),
    recoveries: documents.collection<Recovery>(WEBHOOK_RECOVERIES, { indexes: recoveryIndexes }),
  };
}

/** The context of a service on an engine of the test, whose endpoints resolve to no address. */
export const contextOn = (engine: Engine, clock: FakeClock): WebhooksContext => ({
  ...rowsOn(engine),
  ...{ clock, logger: silent, bus: busAt(0), delays: CONTRACT_DELAYS, publicUrl: '', lookEvery: 60_000 },
  ring: { encrypt: (text) => text, decrypt: (text) => Buffer.from(text) },
  resolve: async () => [],
  allowed: new Set(),
});

/** A worker that is not started: the deliveries that it stores are due, and it sends nothing. */
export const idleWorker = (context: Partial<WebhooksContext>): DeliveryWorker =>
  createDeliveryWorker({ clock: new FakeClock(), ...context } as WebhooksContext, () => Promise.reject(new Error('it is not started')));

/** An endpoint that receives all event types. */
export const shopEndpoint = (): Endpoint => ({
  _id: 'we_1',
  version: 1,
  account: 'acct_1',
  env: 'test',
  url: 'https://shop.example/x',
  events: ['*'],
  description: null,
  metadata: {},
  status: 'enabled',
  disabled_reason: null,
  secret: newSecret(),
  created_at: '2026-01-01T00:00:00.000Z',
  updated_at: '2026-01-01T00:00:00.000Z',
  deleted_at: null,
  deleted: false,
  deleted_by: null,
  place: 'p',
});

export const silent = {
  error: () => undefined,
  warn: () => undefined,
  info: () => undefined,
  debug: () => undefined,
} as unknown as WebhooksContext['logger'];

/** A bus whose topics all end at this position. */
export const busAt = (end: number) => ({ ends: async () => ({ store: String(end) }) });

export const customerCreated: PublicEvent = {
  specversion: '1.0',
  id: 'evt_01jqz5rk4e7000000000000000',
  source: 'invoicing',
  type: 'invoicing.customer-created.v1',
  subject: 'cust_1',
  time: '2026-01-15T12:00:00.000Z',
  datacontenttype: 'application/json',
  env: 'test',
  account: 'acct_1',
  sequence: 1,
  data: { id: 'cust_1' },
};
