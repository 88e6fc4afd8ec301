export { WebhooksModule, type WebhooksAdapters } from './webhooks.module.ts';
