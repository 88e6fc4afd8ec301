import { topics } from '@svc/contracts/events/envelope';
import type { Engine } from '@svc/embedded';
import { documentDeadLetters } from '@svc/event-bus';
import type { Clock } from '@svc/kernel';
import type { Logger } from '@svc/service';
import { clusterOf, type KafkaSettings } from '@svc/service/process/kafka-settings';
import { embeddedPorts, type SystemPorts } from './compose.ts';
import type { StandaloneConfig } from './config.ts';
import type { OpenServer } from './on-servers/server.ts';

export interface Adapters {
  ports: SystemPorts;
  /** In the order of closing. */
  servers: OpenServer[];
}

export interface AdaptersOptions {
  engine: Engine;
  config: Pick<StandaloneConfig, 'EVENT_STORE_URL' | 'KAFKA_BROKERS' | 'MONGODB_URL'> & KafkaSettings;
  namespace: string;
  clock: Clock;
  logger: Logger;
}

/** Opens each port on the server that the settings name, else on the embedded engine. Client libraries of other servers are not loaded. */
export async function openAdapters({ engine, config, namespace, clock, logger }: AdaptersOptions): Promise<Adapters> {
  const { EVENT_STORE_URL, KAFKA_BROKERS, MONGODB_URL } = config;
  const servers: OpenServer[] = [];
  let documents: SystemPorts['documents'] | undefined;
  if (MONGODB_URL) {
    const { documentsOnMongo } = await import('./on-servers/mongodb.ts');
    const opened = documentsOnMongo({ url: MONGODB_URL, namespace, logger });
    documents = opened.documents;
    servers.unshift(opened.server);
  }
  let store: SystemPorts['eventStore'] | undefined;
  if (EVENT_STORE_URL) {
    const { storeOnEventStoreDb } = await import('./on-servers/eventstoredb.ts');
    const { eventStore, server } = storeOnEventStoreDb({ url: EVENT_STORE_URL, namespace, clock, logger });
    store = eventStore;
    servers.unshift(server);
  }
  let ports: SystemPorts = embeddedPorts({ engine, clock, logger }, documents, store);
  if (KAFKA_BROKERS) {
    const { busOnKafka } = await import('./on-servers/kafka.ts');
    const { bus, server } = busOnKafka({
      ...clusterOf({ ...config, KAFKA_BROKERS }),
      ...{ namespace, clientId: 'standalone', publishes: Object.values(topics), clock, logger },
      deadLetters: documentDeadLetters(ports.documents('svc_bus')),
      crashed(error) {
        logger.fatal({ err: error }, 'a consumer has stopped for good');
        process.exit(1);
      },
    });
    ports = { ...ports, bus };
    servers.unshift(server);
  }
  return { ports, servers };
}
