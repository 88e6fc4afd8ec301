import { documentEvents, type DocumentWebhookType } from '../documents.ts';

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
export const webhookEventTypes = Object.keys(webhookEvents) as WebhookEventType[];

export const endpointStatuses = ['enabled', 'disabled'] as const;
export type EndpointStatus = (typeof endpointStatuses)[number];
export const deliveryStatuses = ['pending', 'succeeded', 'failed', 'cancelled'] as const;
export type DeliveryStatus = (typeof deliveryStatuses)[number];
export const attemptTriggers = ['schedule', 'manual'] as const;
export type AttemptTrigger = (typeof attemptTriggers)[number];
