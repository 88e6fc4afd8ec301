import { Module, type DynamicModule } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { embeddedDocuments, type Documents } from '@svc/document-store';
import type { Engine } from '@svc/embedded';
import { documentDeadLetters, EmbeddedBus, type EventBus } from '@svc/event-bus';
import type { CustomTransportStrategy } from '@nestjs/microservices';
import { embeddedEventStore, type EventStore } from '@svc/event-store';
import { FiscalSubmissionModule, type FiscalSubmissionAdapters } from '@svc/fiscal-submission';
import { GATEWAY, GatewayModule, memoryLimiter, useEdge, useReference, type EdgeConfig, type Gateway } from '@svc/gateway';
import { InvoicingModule } from '@svc/invoicing';
import type { Clock, Ids } from '@svc/kernel';
import { ReportingModule } from '@svc/reporting';
import { createApp, servedRoutes, type Health, type KeyRing, type Logger } from '@svc/service';
import { WebhooksModule, type WebhooksAdapters } from '@svc/webhooks-dispatcher';

/** What the whole system in one process stands on. */
export interface SystemDependencies {
  clock: Clock;
  ids: Ids;
  logger: Logger;
  health: Health;
  /** Seals what a service stores, by its name. */
  ringOf(service: string): KeyRing;
  publicUrl: string;
  simulatorUrl: string;
  pace: FiscalSubmissionAdapters['pace'];
  edge: EdgeConfig;
  webhooks: Pick<WebhooksAdapters, 'allowed' | 'delays' | 'send' | 'resolve'>;
  /** Names this process in leases. One process comes back under one name: it has its leases at once. */
  holder?: string;
  /** The authority by another way than this machine's HTTP. */
  authorityHttp?: FiscalSubmissionAdapters['http'];
}

/** What the services stand on. */
export interface SystemPorts {
  eventStore: EventStore;
  documents(database: string): Documents;
  bus: EventBus & CustomTransportStrategy;
}

export interface Ports extends SystemPorts {
  bus: EmbeddedBus;
}

/** On the embedded engine; its bus keeps dead letters where all documents are. */
export function embeddedPorts(
  { engine, clock, logger }: Pick<SystemDependencies, 'clock' | 'logger'> & { engine: Engine },
  documents: Ports['documents'] = (database) => embeddedDocuments(engine, database),
  eventStore: EventStore = embeddedEventStore(engine, clock, logger),
): Ports {
  const bus = new EmbeddedBus({ clock, logger, deadLetters: documentDeadLetters(documents('svc_bus')), head: () => eventStore.head() });
  return { eventStore, documents, bus };
}

@Module({})
class System {
  static of(dependencies: SystemDependencies, { eventStore, documents, bus }: SystemPorts): DynamicModule {
    const { clock, ids, logger, health, ringOf, publicUrl, holder = 'standalone' } = dependencies;
    const shared = { clock, ids, logger, health, publicUrl, bus, eventStore, holder };
    return {
      module: System,
      imports: [
        GatewayModule.forRoot({
          ...shared,
          documents: documents('svc_gateway'),
          limiter: memoryLimiter(clock),
          secrets: ringOf('gateway'),
        }),
        InvoicingModule.forRoot({ ...shared, documents: documents('svc_invoicing'), secrets: ringOf('invoicing') }),
        FiscalSubmissionModule.forRoot({
          ...shared,
          documents: documents('svc_fiscal_submission'),
          simulatorUrl: dependencies.simulatorUrl,
          pace: dependencies.pace,
          ...(dependencies.authorityHttp ? { http: dependencies.authorityHttp } : {}),
        }),
        WebhooksModule.forRoot({
          ...shared,
          documents: documents('svc_webhooks'),
          ring: ringOf('webhooks-dispatcher'),
          ...dependencies.webhooks,
        }),
        ReportingModule.forRoot({ ...shared, documents: documents('svc_reporting') }),
      ],
    };
  }
}

/** All services in one Nest application behind the edge, consuming from the bus; not yet listening for HTTP. */
export async function composeSystem(
  dependencies: SystemDependencies,
  ports: SystemPorts,
): Promise<{ app: NestFastifyApplication; gateway: Gateway }> {
  const { logger, edge } = dependencies;
  const app = await createApp(System.of(dependencies, ports), { logger });
  const gateway = app.get<Gateway>(GATEWAY);
  useEdge(app, {
    ...gateway,
    hosts: edge.HOSTS,
    requireHttps: edge.REQUIRE_HTTPS,
    trustedProxies: edge.TRUSTED_PROXIES,
    served: () => servedRoutes(app),
  });
  useReference(app, { served: () => servedRoutes(app), publicUrl: dependencies.publicUrl });
  app.connectMicroservice({ strategy: ports.bus });
  await app.startAllMicroservices();
  await app.init();
  return { app, gateway };
}
