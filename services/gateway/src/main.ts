import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { topics } from '@svc/contracts/events/envelope';
import { openRoutes } from '@svc/contracts/routes';
import { internalKeys, parseKeyRing } from '@svc/service';
import { type Dependencies, runService } from '@svc/service/process/index';
import { ciphertexts } from './ciphertexts.ts';
import { adminRoutes } from './admin/admin-routes.ts';
import { termsOf } from './config.ts';
import { consoleHandlers } from './console/all-handlers.ts';
import { useConsole } from './console/use-console.ts';
import { withoutConsole } from './routing/route-table.ts';
import { useEdge } from './edge/use-edge.ts';
import { firstStart } from './first-start.ts';
import { GatewayConfig } from './gateway-config.ts';
import { GatewayModule } from './gateway.module.ts';
import { createSharedLimiter } from './limiter/removal.ts';
import type { Gateway } from './open-gateway.ts';
import { usePages } from './pages/use-pages.ts';
import { useProxy } from './proxy/use-proxy.ts';
import { useReference } from './reference/use-reference.ts';
import { endpointHoursAt, storedBytesAt } from './proxy/ask-service.ts';
import { GATEWAY } from './tokens.ts';

const DATABASE = 'svc_gateway';
const gatewayIn = (app: NestFastifyApplication): Gateway => app.get<Gateway>(GATEWAY);

await runService<GatewayConfig>({
  name: 'gateway',
  about: 'Authenticates API keys, applies rate limits and idempotency keys, and forwards requests to the services.',
  config: GatewayConfig,
  database: DATABASE,
  ciphertexts,
  publishes: [topics.setting],
  rewriteUrl: withoutConsole,
  module({ config, ...dependencies }) {
    const documents = dependencies.database(DATABASE);
    const keys = internalKeys(config.INTERNAL_KEYS);
    return GatewayModule.forRoot({
      ...dependencies,
      documents,
      limiter: createSharedLimiter({ ...dependencies, documents }),
      storedBytes: [
        storedBytesAt('invoicing', { ...dependencies, origins: config.INVOICING_URL, keys }),
        storedBytesAt('fiscal-submission', { ...dependencies, origins: config.FISCAL_SUBMISSION_URL, keys }),
        storedBytesAt('webhooks-dispatcher', { ...dependencies, origins: config.WEBHOOKS_URL, keys }),
      ],
      endpointHours: endpointHoursAt({ ...dependencies, origins: config.WEBHOOKS_URL, keys }),
      secrets: parseKeyRing(config.SECRETS_KEY),
      ...termsOf(config, config.PUBLIC_URL),
    });
  },
  hooks: {
    before: useEdgeAndProxy,
    operators: (app, { config }) => adminRoutes(gatewayIn(app).accounts, { token: config.ADMIN_TOKEN, named: config.ADMIN_TOKENS }),
    async opened(app, { config: { SETUP_FILE: file, DEMO_PLAN: plan, ADMIN_TOKEN: adminToken }, database }) {
      if (file) await firstStart({ documents: database(DATABASE), accounts: gatewayIn(app).accounts, file, plan, adminToken });
    },
  },
});

/** Installs the edge, the proxy to the services and the reference pages. */
function useEdgeAndProxy(app: NestFastifyApplication, { config, clock, logger, health }: Dependencies<GatewayConfig, undefined>): void {
  const served = (): typeof openRoutes => openRoutes;
  useEdge(app, {
    ...gatewayIn(app),
    ...{
      hosts: config.HOSTS,
      requireHttps: config.REQUIRE_HTTPS,
      trustedProxies: config.TRUSTED_PROXIES,
      accessLogPercent: config.ACCESS_LOG_PERCENT,
      served,
    },
  });
  useProxy(app, {
    origins: {
      invoicing: config.INVOICING_URL,
      'fiscal-submission': config.FISCAL_SUBMISSION_URL,
      'webhooks-dispatcher': config.WEBHOOKS_URL,
      reporting: config.REPORTING_URL,
    },
    ...{ podsSuffix: config.PODS_SUFFIX, trustedProxies: config.TRUSTED_PROXIES },
    ...{ served: openRoutes, keys: internalKeys(config.INTERNAL_KEYS), clock, logger, stopping: health.stopping },
  });
  useConsole(app, {
    handlers: consoleHandlers(gatewayIn(app), app, config.TRUSTED_PROXIES),
    ...{ insiders: gatewayIn(app).insiders, clock: gatewayIn(app).clock },
    served,
    publicUrl: config.PUBLIC_URL,
  });
  usePages(app, { publicUrl: config.PUBLIC_URL });
  useReference(app, { served, publicUrl: config.PUBLIC_URL });
}
