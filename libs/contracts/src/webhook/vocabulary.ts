/** The ten events of the contract. */
export const webhookEventTypes = [
  'invoice.created',
  'invoice.updated',
  'invoice.submitted',
  'invoice.failed',
  'invoice.voided',
  'receipt.created',
  'receipt.voided',
  'customer.created',
  'customer.updated',
  'customer.deleted',
] as const;
export type WebhookEventType = (typeof webhookEventTypes)[number];

export const endpointStatuses = ['enabled', 'disabled'] as const;
export type EndpointStatus = (typeof endpointStatuses)[number];
export const deliveryStatuses = ['pending', 'succeeded', 'failed', 'cancelled'] as const;
export type DeliveryStatus = (typeof deliveryStatuses)[number];
export const attemptTriggers = ['schedule', 'manual'] as const;
export type AttemptTrigger = (typeof attemptTriggers)[number];
