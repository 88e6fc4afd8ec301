export type { WebhookEvent } from './event.ts';
export type { WebhookDelivery } from './delivery.ts';
export { WebhookError, type WebhookErrorCode } from './error.ts';
export { verifyWebhook, type VerifyOptions } from './verify-webhook.ts';
