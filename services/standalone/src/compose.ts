import { Module, type DynamicModule } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { CustomTransportStrategy } from '@nestjs/microservices';
import { embeddedDocumentStore, type DocumentStore } from '@svc/document-store';
import type { Engine } from '@svc/embedded';
import { documentDeadLetters, EmbeddedBus, type EventBus } from '@svc/event-bus';
import type { PublishedEvents } from '@svc/event-bus/publishing/published-events';
import { embeddedEventStore, type EventStore } from '@svc/event-store';
import {
  collections as fiscalSubmission,
  FiscalSubmissionModule,
  issuerCertificates,
  submissionProgress,
  type FiscalSubmissionAdapters,
} from '@svc/fiscal-submission';
import {
  collections as gateway,
  consoleHandlers,
  GATEWAY,
  GatewayModule,
  memoryLimiter,
  type termsOf,
  useConsole,
  useEdge,
  usePages,
  useReference,
  withoutConsole,
  type EdgeConfig,
  type Gateway,
} from '@svc/gateway';
import {
  collections as invoicing,
  answersAgain,
  documentStatus,
  encryptedStore,
  eventsIn,
  InvoicingModule,
  issuerFacts,
  storedBytesOf,
  storedBytesRows,
} from '@svc/invoicing';
import type { Clock, Ids } from '@svc/kernel';
import { collections as reporting, ReportingModule } from '@svc/reporting';
import { createApp, servedRoutes, storedBytesIn, type Health, type KeyRing, type Logger } from '@svc/service';
import {
  bodiesFromStreams,
  collections as webhooks,
  deliveriesIn,
  endpointHoursOf,
  storedBodies,
  WebhooksModule,
  type EventBodies,
  type WebhooksAdapters,
} from '@svc/webhooks-dispatcher';

/** The dependencies of the whole system in one process. */
export interface SystemDependencies {
  clock: Clock;
  ids: Ids;
  logger: Logger;
  health: Health;
  /** The key ring that encrypts what a service stores, by service name. */
  ringOf(service: string): KeyRing;
  publicUrl: string;
  simulatorUrl: string;
  /** Where the national authorities are, and what the deployment is to them; absent: they are not served. */
  connections?: Pick<FiscalSubmissionAdapters, 'testUrls' | 'liveUrls' | 'deployment' | 'collaborator'>;
  pace: FiscalSubmissionAdapters['pace'];
  edge: Pick<EdgeConfig, 'HOSTS' | 'REQUIRE_HTTPS' | 'TRUSTED_PROXIES'> & Partial<Pick<EdgeConfig, 'ACCESS_LOG_PERCENT'>>;
  /** Terms of sessions and the audit that differ from the defaults. */
  console?: ReturnType<typeof termsOf>;
  /** Origins whose servers say by `Date` what time it is. */
  clockWitnesses?: readonly string[];
  webhooks: Pick<WebhooksAdapters, 'allowed' | 'delays' | 'keepDays' | 'send' | 'resolve'>;
  wireLogKeepDays?: number;
  /** Names this process in leases. A process that restarts under the same name has its leases at once. */
  holder?: string;
  /** Called after the key of a customer's personal data was destroyed, perhaps more than once. */
  erased?: () => void;
  /** Outgoing HTTP to the authority, where tests replace the machine's. */
  authorityHttp?: FiscalSubmissionAdapters['http'];
}

/** The ports of the services. */
export interface SystemPorts {
  eventStore: EventStore;
  documents(database: string): DocumentStore;
  bus: EventBus & CustomTransportStrategy;
  /** Bodies of webhook events; they may be made from the events of invoicing where these are read in this process. */
  bodies(published: PublishedEvents): EventBodies;
}

export interface Ports extends SystemPorts {
  bus: EmbeddedBus;
}

/** The ports on the embedded engine, or on the given ones of servers. The bus stores dead letters in `documents`. */
export function embeddedPorts(
  { engine, clock, logger }: Pick<SystemDependencies, 'clock' | 'logger'> & { engine: Engine },
  documents?: Ports['documents'],
  store?: EventStore,
): Ports {
  const eventStore = store ?? embeddedEventStore(engine, clock, logger);
  const documentsOf = documents ?? ((database) => embeddedDocumentStore(engine, database, { hasEvents: !store }));
  const bus = new EmbeddedBus({ clock, logger, deadLetters: documentDeadLetters(documentsOf('svc_bus')), head: () => eventStore.head() });
  return {
    ...{ eventStore, documents: documentsOf, bus },
    bodies: store ? () => storedBodies : bodiesFromStreams,
  };
}

/** The databases of all services, with what a backup holds of each and what is rebuilt. */
export const databases: readonly { database: string; source: readonly string[]; rebuilt: readonly string[] }[] = [
  ...[gateway, invoicing, fiscalSubmission, webhooks, reporting],
];

@Module({})
class System {
  static async of(dependencies: SystemDependencies, { eventStore, documents, bus, bodies }: SystemPorts): Promise<DynamicModule> {
    const { clock, ids, logger, health, ringOf, publicUrl, holder = 'standalone' } = dependencies;
    const shared = { clock, ids, logger, health, publicUrl, bus, eventStore, holder };
    const ofInvoicing = documents('svc_invoicing');
    const ofSubmissions = documents('svc_fiscal_submission');
    const secrets = ringOf('invoicing');
    const encrypted = encryptedStore({ eventStore, documents: ofInvoicing, secrets, clock, logger });
    const store: typeof encrypted = {
      ...encrypted,
      async destroyKey(subject) {
        await encrypted.destroyKey(subject);
        dependencies.erased?.();
      },
    };
    return {
      module: System,
      imports: [
        GatewayModule.forRoot({
          ...shared,
          documents: documents('svc_gateway'),
          limiter: memoryLimiter(clock),
          endpointHours: endpointHoursOf(deliveriesIn(documents('svc_webhooks'))),
          storedBytes: [
            storedBytesOf(storedBytesRows(ofInvoicing)),
            storedBytesIn(ofSubmissions, clock),
            storedBytesIn(documents('svc_webhooks'), clock),
          ],
          answerAgain: answersAgain({ store, ids }),
          secrets: ringOf('gateway'),
          ...dependencies.console,
        }),
        await InvoicingModule.forRoot({
          ...{ ...shared, documents: ofInvoicing, store, secrets, clockWitnesses: dependencies.clockWitnesses ?? [] },
          deployment: dependencies.connections?.deployment ?? {},
          progressOf: submissionProgress({ eventStore, documents: ofSubmissions }),
          certifiedOf: issuerCertificates({ documents: ofSubmissions, collaborator: dependencies.connections?.collaborator, clock }),
        }),
        await FiscalSubmissionModule.forRoot({
          ...shared,
          documents: ofSubmissions,
          ring: ringOf('fiscal-submission'),
          simulatorUrl: dependencies.simulatorUrl,
          ...dependencies.connections,
          pace: dependencies.pace,
          statusOf: documentStatus({ store, ids }),
          issuerOf: issuerFacts({ store, ids }),
          ...(dependencies.wireLogKeepDays !== undefined && { wireLogKeepDays: dependencies.wireLogKeepDays }),
          ...(dependencies.authorityHttp ? { http: dependencies.authorityHttp } : {}),
        }),
        await WebhooksModule.forRoot({
          ...shared,
          documents: documents('svc_webhooks'),
          bodies: bodies(eventsIn(store)),
          ring: ringOf('webhooks-dispatcher'),
          ...dependencies.webhooks,
        }),
        ReportingModule.forRoot({ ...shared, documents: documents('svc_reporting'), secrets: ringOf('reporting') }),
      ],
    };
  }
}

/** Composes all services in one Nest application behind the edge, consuming from the bus. Does not listen for HTTP yet. */
export async function composeSystem(
  dependencies: SystemDependencies,
  ports: SystemPorts,
): Promise<{ app: NestFastifyApplication; gateway: Gateway }> {
  const { logger, clock, edge, publicUrl } = dependencies;
  const app = await createApp(await System.of(dependencies, ports), { logger, clock, publicUrl, rewriteUrl: withoutConsole });
  const gateway = app.get<Gateway>(GATEWAY);
  useEdge(app, {
    ...gateway,
    hosts: edge.HOSTS,
    requireHttps: edge.REQUIRE_HTTPS,
    trustedProxies: edge.TRUSTED_PROXIES,
    accessLogPercent: edge.ACCESS_LOG_PERCENT ?? 0,
    served: () => servedRoutes(app),
  });
  useConsole(app, {
    handlers: consoleHandlers(gateway, app, edge.TRUSTED_PROXIES),
    ...{ insiders: gateway.insiders, clock: gateway.clock },
    served: () => servedRoutes(app),
    publicUrl,
  });
  usePages(app, { publicUrl });
  useReference(app, { served: () => servedRoutes(app), publicUrl });
  app.connectMicroservice({ strategy: ports.bus });
  await app.startAllMicroservices();
  await app.init();
  return { app, gateway };
}
