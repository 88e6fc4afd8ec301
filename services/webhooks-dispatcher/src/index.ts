export { CONTRACT_DELAYS } from './delivery/schedule.ts';
export { WebhooksModule, type WebhooksAdapters } from './webhooks.module.ts';
