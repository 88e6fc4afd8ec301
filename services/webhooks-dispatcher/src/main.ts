import { topics } from '@svc/contracts/events/envelope';
import { parseKeyRing, storedBytesIn, storedBytesRoute } from '@svc/service';
import { runService } from '@svc/service/process/index';
import { ciphertexts } from './ciphertexts.ts';
import { deliveriesIn, endpointHoursRoute } from './delivery/hours.ts';
import { WebhooksConfig } from './config.ts';
import { webhookRoutes } from './operators/admin-routes.ts';
import { operatorsIn } from './operators/in-app.ts';
import { WebhooksModule } from './webhooks.module.ts';

await runService({
  name: 'webhooks-dispatcher',
  about: 'Webhook endpoints, and the delivery of events to them.',
  config: WebhooksConfig,
  database: 'svc_webhooks',
  ciphertexts,
  publishes: [topics.setting],
  module: ({ config, ...dependencies }) =>
    WebhooksModule.forRoot({
      ...dependencies,
      documents: dependencies.database('svc_webhooks'),
      ring: parseKeyRing(config.SECRETS_KEY),
      allowed: config.WEBHOOKS_ALLOW,
      delays: config.WEBHOOKS_RETRY_DELAYS,
      keepDays: config.WEBHOOKS_KEEP_DAYS,
    }),
  hooks: {
    internal: ({ database, clock }) => [
      endpointHoursRoute(deliveriesIn(database('svc_webhooks'))),
      storedBytesRoute(storedBytesIn(database('svc_webhooks'), clock)),
    ],
    operators: (app, { config }) => webhookRoutes(operatorsIn(app), config.OPS_TOKEN),
  },
});
