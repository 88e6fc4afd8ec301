import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { openRoutes } from '@svc/contracts/routes';
import type { DocumentStore } from '@svc/document-store';
import { createIds, systemClock as clock } from '@svc/kernel';
import { createApp, createLogger, fastifyOf, Health, newKeyRing, parseKeyRing } from '@svc/service';
import { documentDeadLetters, EmbeddedBus } from '@svc/event-bus';
import { consoleHandlers } from '../console/all-handlers.ts';
import { useConsole } from '../console/use-console.ts';
import { withoutConsole } from '../routing/route-table.ts';
import { openAccount } from '../keys/open-account.ts';
import { useEdge } from '../edge/use-edge.ts';
import { GatewayModule } from '../gateway.module.ts';
import type { Limiter } from '../limiter/port.ts';
import type { Gateway } from '../open-gateway.ts';
import type { Timeouts } from '../proxy/deadlines.ts';
import { type ProxyOptions, useProxy } from '../proxy/use-proxy.ts';
import { GATEWAY } from '../tokens.ts';
import { type Call, callerOf } from './call.ts';
import { noEndpoints } from './no-endpoints.ts';
import { sharedKeys } from './stub-upstream.ts';

const ring = parseKeyRing(newKeyRing());
export const PLENTY = { plan: 1_000_000, burst: 100_000, submit: 100_000, receipts: 100_000, reports: 100_000 };

export interface GatewayAppOptions {
  documents: DocumentStore;
  limiter: Limiter;
  /** Origins of the replicas of invoicing, which stand for webhooks-dispatcher too, and of the others; none by default. */
  invoicing: readonly string[];
  fiscalSubmission?: readonly string[];
  reporting?: readonly string[] | undefined;
  timeouts?: Partial<Timeouts>;
  podsSuffix?: string | undefined;
}

/** A gateway with its proxy, composed as in main.ts, on the system clock. */
export interface GatewayApp {
  app: NestFastifyApplication;
  port: number;
  health: Health;
  gateway: Gateway;
  caller(key?: string): Call;
  /** A new account. */
  account(limits?: Partial<typeof PLENTY>): Promise<{ id: string; testKey: string; call: Call; callLive: Call }>;
}

export async function startGatewayApp({
  documents,
  limiter,
  invoicing,
  fiscalSubmission = [],
  reporting = [],
  timeouts,
  podsSuffix,
}: GatewayAppOptions): Promise<GatewayApp> {
  const logger = createLogger({ level: 'silent', service: 'gateway' });
  const [health, storedBytes] = [new Health(clock), []];
  const bus = new EmbeddedBus({ clock, logger, deadLetters: documentDeadLetters(documents), head: async () => 0n });
  const shared = {
    documents,
    bus,
    limiter,
    storedBytes,
    endpointHours: noEndpoints,
    secrets: ring,
    clock,
    ids: createIds(clock),
    logger,
    health,
  };
  const app = await createApp(GatewayModule.forRoot({ ...shared, publicUrl: 'http://test' }), { logger, rewriteUrl: withoutConsole });
  const gateway = app.get<Gateway>(GATEWAY);
  useEdge(app, {
    ...gateway,
    hosts: new Map(),
    requireHttps: false,
    trustedProxies: ['loopback'],
    accessLogPercent: 0,
    served: () => openRoutes,
  });
  const origins: ProxyOptions['origins'] = {
    invoicing,
    reporting,
    'webhooks-dispatcher': invoicing,
    'fiscal-submission': fiscalSubmission,
  };
  useProxy(app, {
    ...{ origins, podsSuffix, trustedProxies: ['loopback'], served: openRoutes, keys: sharedKeys },
    ...{ clock, logger, timeouts, stopping: health.stopping },
  });
  useConsole(app, {
    handlers: consoleHandlers(gateway, app, ['loopback']),
    ...{ insiders: gateway.insiders, clock: gateway.clock },
    served: () => openRoutes,
    publicUrl: 'http://test',
  });
  app.connectMicroservice({ strategy: bus });
  await app.startAllMicroservices();
  await app.listen(0, '127.0.0.1');
  const { port } = fastifyOf(app).server.address() as { port: number };
  const caller = (key?: string): Call => callerOf(() => port, key);
  return {
    ...{ app, port, health, gateway, caller },
    async account(limits = {}) {
      const wanted = { name: 'Test', plan: 'enterprise', limits: { ...PLENTY, ...limits } } as const;
      const { account, testKey, liveKey } = await openAccount(gateway.accounts, wanted, { type: 'system', id: 'test' });
      return { id: account._id, testKey, call: caller(testKey), callLive: caller(liveKey) };
    },
  };
}
