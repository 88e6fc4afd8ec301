import { ListOf } from '../http/list.ts';
import { EmptyBody } from '../http/none.ts';
import { PageQuery } from '../http/page.ts';
import type { Rows } from '../http/route.ts';
import { EventResource, EventTypeResource } from './event.ts';
import { DeliveriesQuery, EventsQuery } from './queries.ts';
import { CreateWebhook, RecoverWebhook, RotateSecret, TestWebhook, UpdateWebhook } from './requests.ts';
import { DeliveryResource, RecoveryResource, WebhookEndpointResource } from './resource.ts';

export const webhooks = {
  'GET /webhooks': {
    permission: 'webhooks:read',
    ok: 200,
    service: 'webhooks-dispatcher',
    query: PageQuery,
    response: ListOf(WebhookEndpointResource),
    summary: 'List webhook endpoints.',
  },
  'POST /webhooks': {
    permission: 'webhooks:write',
    ok: 201,
    service: 'webhooks-dispatcher',
    body: CreateWebhook,
    response: WebhookEndpointResource,
    summary: 'Create a webhook endpoint; its secret is in this answer alone.',
  },
  'GET /webhooks/{id}': {
    permission: 'webhooks:read',
    ok: 200,
    service: 'webhooks-dispatcher',
    response: WebhookEndpointResource,
    summary: 'Read a webhook endpoint.',
  },
  'PATCH /webhooks/{id}': {
    permission: 'webhooks:write',
    ok: 200,
    service: 'webhooks-dispatcher',
    served: false,
    body: UpdateWebhook,
    response: WebhookEndpointResource,
    summary: 'Change a webhook endpoint.',
  },
  'DELETE /webhooks/{id}': {
    permission: 'webhooks:write',
    ok: 200,
    service: 'webhooks-dispatcher',
    response: WebhookEndpointResource,
    summary: 'Delete a webhook endpoint.',
  },
  'POST /webhooks/{id}/rotate-secret': {
    permission: 'webhooks:write',
    ok: 200,
    service: 'webhooks-dispatcher',
    served: false,
    body: RotateSecret,
    response: WebhookEndpointResource,
    summary: 'Make a new signing secret; it is in this answer alone.',
  },
  'POST /webhooks/{id}/test': {
    permission: 'webhooks:write',
    ok: 200,
    service: 'webhooks-dispatcher',
    served: false,
    body: TestWebhook,
    response: DeliveryResource,
    summary: 'Send a sample event and answer with what came of it.',
  },
  'POST /webhooks/{id}/enable': {
    permission: 'webhooks:write',
    ok: 200,
    service: 'webhooks-dispatcher',
    served: false,
    body: EmptyBody,
    response: WebhookEndpointResource,
    summary: 'Enable a disabled endpoint.',
  },
  'POST /webhooks/{id}/recover': {
    permission: 'webhooks:write',
    ok: 200,
    service: 'webhooks-dispatcher',
    served: false,
    body: RecoverWebhook,
    response: RecoveryResource,
    summary: 'Deliver events again that have no succeeded delivery.',
  },
  'GET /webhooks/{id}/deliveries': {
    permission: 'webhooks:read',
    ok: 200,
    service: 'webhooks-dispatcher',
    query: DeliveriesQuery,
    response: ListOf(DeliveryResource),
    summary: 'List deliveries, newest first.',
  },
  'GET /webhooks/{id}/deliveries/{whd}': {
    permission: 'webhooks:read',
    ok: 200,
    service: 'webhooks-dispatcher',
    response: DeliveryResource,
    summary: 'Read a delivery.',
  },
  'POST /webhooks/{id}/deliveries/{whd}/redeliver': {
    permission: 'webhooks:write',
    ok: 200,
    service: 'webhooks-dispatcher',
    served: false,
    body: EmptyBody,
    response: DeliveryResource,
    summary: 'Make one attempt now.',
  },
  'GET /events': {
    permission: 'webhooks:read',
    ok: 200,
    service: 'webhooks-dispatcher',
    query: EventsQuery,
    response: ListOf(EventResource),
    summary: 'List events, newest first.',
  },
  'GET /events/{id}': {
    permission: 'webhooks:read',
    ok: 200,
    service: 'webhooks-dispatcher',
    response: EventResource,
    summary: 'Read an event as it was sent.',
  },
  'GET /event-types': {
    permission: 'webhooks:read',
    ok: 200,
    service: 'webhooks-dispatcher',
    query: PageQuery,
    response: ListOf(EventTypeResource),
    summary: 'List the types of events.',
  },
} satisfies Rows;
