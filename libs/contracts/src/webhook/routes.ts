import { ListOf } from '../http/list.ts';
import { EmptyBody } from '../http/none.ts';
import { PageQuery } from '../http/page.ts';
import type { Rows } from '../http/route.ts';
import { EventResource, EventTypeResource } from './event.ts';
import {
  CreateWebhook,
  DeliveriesQuery,
  EventsQuery,
  RecoverWebhook,
  RotateSecret,
  TestWebhook,
  UpdateWebhook,
  WebhooksQuery,
} from './requests.ts';
import { DeliveryResource, RecoveryResource, WebhookEndpointResource } from './resource.ts';

export const webhooks = {
  'GET /webhooks': {
    permission: 'webhooks:read',
    service: 'webhooks-dispatcher',
    query: WebhooksQuery,
    response: ListOf(WebhookEndpointResource),
    summary: 'List webhook endpoints.',
  },
  'POST /webhooks': {
    stores: 'creation',
    permission: 'webhooks:write',
    ok: 201,
    service: 'webhooks-dispatcher',
    body: CreateWebhook,
    response: WebhookEndpointResource,
    summary: 'Create a webhook endpoint; its secret is in this answer alone.',
  },
  'GET /webhooks/{id}': {
    permission: 'webhooks:read',
    service: 'webhooks-dispatcher',
    response: WebhookEndpointResource,
    summary: 'Read a webhook endpoint.',
  },
  'PATCH /webhooks/{id}': {
    permission: 'webhooks:write',
    service: 'webhooks-dispatcher',
    body: UpdateWebhook,
    response: WebhookEndpointResource,
    summary: 'Change a webhook endpoint.',
  },
  'DELETE /webhooks/{id}': {
    permission: 'webhooks:write',
    service: 'webhooks-dispatcher',
    response: WebhookEndpointResource,
    summary: 'Delete a webhook endpoint.',
  },
  'POST /webhooks/{id}/rotate-secret': {
    permission: 'webhooks:write',
    service: 'webhooks-dispatcher',
    body: RotateSecret,
    response: WebhookEndpointResource,
    summary: 'Make a new signing secret; it is in this answer alone.',
  },
  'POST /webhooks/{id}/test': {
    permission: 'webhooks:write',
    service: 'webhooks-dispatcher',
    body: TestWebhook,
    response: DeliveryResource,
    summary: 'Send a sample event and answer with what came of it.',
  },
  'POST /webhooks/{id}/enable': {
    permission: 'webhooks:write',
    service: 'webhooks-dispatcher',
    body: EmptyBody,
    response: WebhookEndpointResource,
    summary: 'Enable a disabled endpoint.',
  },
  'POST /webhooks/{id}/recover': {
    permission: 'webhooks:write',
    service: 'webhooks-dispatcher',
    body: RecoverWebhook,
    response: RecoveryResource,
    summary: 'Deliver events again that have no succeeded delivery.',
  },
  'GET /webhooks/{id}/deliveries': {
    permission: 'webhooks:read',
    service: 'webhooks-dispatcher',
    query: DeliveriesQuery,
    response: ListOf(DeliveryResource),
    summary: 'List deliveries, newest first.',
  },
  'GET /webhooks/{id}/deliveries/{whd}': {
    permission: 'webhooks:read',
    service: 'webhooks-dispatcher',
    response: DeliveryResource,
    summary: 'Read a delivery.',
  },
  'POST /webhooks/{id}/deliveries/{whd}/redeliver': {
    permission: 'webhooks:write',
    service: 'webhooks-dispatcher',
    body: EmptyBody,
    response: DeliveryResource,
    summary: 'Make one attempt now.',
  },
  'GET /events': {
    permission: 'webhooks:read',
    service: 'webhooks-dispatcher',
    follows: true,
    query: EventsQuery,
    response: ListOf(EventResource),
    summary: 'List events, newest first; with `after`, follow them, oldest first.',
  },
  'GET /events/{id}': {
    permission: 'webhooks:read',
    service: 'webhooks-dispatcher',
    response: EventResource,
    summary: 'Read an event as it was sent.',
  },
  'GET /events/{id}/deliveries': {
    permission: 'webhooks:read',
    service: 'webhooks-dispatcher',
    query: PageQuery,
    response: ListOf(DeliveryResource),
    summary: 'List the deliveries of an event, to all endpoints.',
  },
  'GET /event-types': {
    permission: 'webhooks:read',
    service: 'webhooks-dispatcher',
    query: PageQuery,
    response: ListOf(EventTypeResource),
    summary: 'List the types of events.',
  },
} satisfies Rows;
