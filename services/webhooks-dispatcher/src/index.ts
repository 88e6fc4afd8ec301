export { ciphertexts } from './ciphertexts.ts';
export { collections } from './collections.ts';
export { deliveriesIn, endpointHoursOf } from './delivery/hours.ts';
export { webhookRoutes } from './operators/admin-routes.ts';
export { operatorsIn } from './operators/in-app.ts';
export { storedBodies, type EventBodies } from './event/bodies.ts';
export { bodiesFromStreams } from './event/bodies-from-streams.ts';
export { WebhooksModule, type WebhooksAdapters } from './webhooks.module.ts';
