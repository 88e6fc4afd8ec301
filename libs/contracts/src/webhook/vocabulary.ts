import { documentEvents, type DocumentWebhookType } from '../documents.ts';
import { vocabulary } from '../schema/vocabulary.ts';

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
