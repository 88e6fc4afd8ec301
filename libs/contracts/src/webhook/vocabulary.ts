import { documentEvents, type DocumentWebhookType } from '../documents.ts';
import { vocabulary } from '../schema/vocabulary.ts';
import type { Transition } from '../document/transition.ts';

const ofDocuments = Object.fromEntries(
  documentEvents.flatMap(([kind, name, about]) => (about === null ? [] : [[`${kind}.${name}`, about]])),
) as Record<DocumentWebhookType, string>;

/** The webhook events and when each is sent. */
export const webhookEvents = {
  ...ofDocuments,
  'customer.created': 'a new customer was created',
  'customer.updated': 'a customer was updated',
  'customer.deleted': 'a customer was deleted',
} as const;
export type WebhookEventType = keyof typeof webhookEvents;
export const webhookEventTypes = vocabulary('EventName', Object.keys(webhookEvents) as WebhookEventType[]);
/** What an endpoint subscribes to; `*` is every event. */
export const subscribable = vocabulary('EventSubscription', [...webhookEventTypes, '*']);

export const endpointStatuses = vocabulary('WebhookEndpointStatus', ['enabled', 'disabled']);
export type EndpointStatus = (typeof endpointStatuses)[number];
export const endpointHealths = vocabulary('WebhookEndpointHealthStatus', ['ok', 'failing']);
export const recoveryStatuses = vocabulary('WebhookRecoveryStatus', ['running', 'done', 'stopped']);
export type RecoveryStatus = (typeof recoveryStatuses)[number];
export const deliveryStatuses = vocabulary('DeliveryStatus', ['pending', 'succeeded', 'failed', 'cancelled']);
export type DeliveryStatus = (typeof deliveryStatuses)[number];
export const attemptTriggers = vocabulary('AttemptTrigger', ['schedule', 'manual']);
export type AttemptTrigger = (typeof attemptTriggers)[number];

/** Every change of the status of a delivery. No events are sent about deliveries. */
export const deliveryTransitions = [
  { from: [], by: 'an event happens', to: 'pending', event: null },
  { from: [], by: '`POST /v1/webhooks/{id}/recover`', to: 'pending', event: null },
  { from: ['pending'], by: 'an attempt is answered with 2xx', to: 'succeeded', event: null },
  { from: ['pending'], by: 'an attempt fails, and the schedule has another', to: 'same', event: null },
  { from: ['pending'], by: 'the last attempt of the schedule fails', to: 'failed', event: null },
  { from: ['pending'], by: 'the endpoint is disabled or deleted', to: 'cancelled', event: null },
  {
    from: ['failed', 'cancelled'],
    by: '`POST /v1/webhooks/{id}/deliveries/{whd}/redeliver` is answered with 2xx',
    to: 'succeeded',
    event: null,
  },
] as const satisfies readonly Transition<DeliveryStatus>[];
