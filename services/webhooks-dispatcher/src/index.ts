export { collections } from './collections.ts';
export { WebhooksModule, type WebhooksAdapters } from './webhooks.module.ts';
