/** The ten webhook events and when each is sent. */
export const webhookEvents = {
  'invoice.created': 'a new invoice was created',
  'invoice.updated': 'an invoice was updated',
  'invoice.submitted': 'an invoice was successfully submitted to the tax authority',
  'invoice.failed': 'submission of an invoice to the tax authority failed',
  'invoice.voided': 'an invoice was voided',
  'receipt.created': 'a new receipt was created',
  'receipt.voided': 'a receipt was voided',
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
