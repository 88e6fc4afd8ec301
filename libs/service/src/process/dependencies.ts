import type { Topic } from '@svc/contracts/events/envelope';
import type { DocumentStore } from '@svc/document-store';
import { openMongo } from '@svc/document-store/mongodb/open';
import { documentDeadLetters } from '@svc/event-bus';
import { KafkaBus } from '@svc/event-bus/kafka/kafka-bus';
import type { EventStore } from '@svc/event-store';
import { createIds, type Clock, type Ids } from '@svc/kernel';
import type { Health, Logger } from '../index.ts';
import type { ServiceConfig } from './config.ts';
import { clusterOf } from './kafka-settings.ts';

/** What opens a server's adapter. */
export interface Opening<C> {
  config: C;
  clock: Clock;
  logger: Logger;
}

/** A store as `openEventStoreDb` opens it. */
export interface OpenedStore {
  store: EventStore;
  check(): Promise<true | string>;
  close(): Promise<void>;
}

/** What a service's module stands on: spread into `forRoot` it is most of its adapters. */
export interface Dependencies<C, S> extends Opening<C> {
  ids: Ids;
  health: Health;
  publicUrl: string;
  /** Names this process in leases, unlike any other that runs. */
  holder: string;
  bus: KafkaBus;
  database(name: string): DocumentStore;
  /** Only where the service opens one. */
  eventStore: S;
}

export interface DependencyOptions<C, S> extends Opening<C> {
  name: string;
  health: Health;
  holder: string;
  /** Its own database. */
  database: string;
  /** The topics that it publishes to. */
  publishes?: readonly Topic[] | undefined;
  openStore?: ((opening: Opening<C>) => OpenedStore & { store: S }) | undefined;
}

/** A server's adapter: whether the server answers, and how to let it go. */
export interface OpenServer {
  name: string;
  check(): Promise<true | string>;
  close(): Promise<void>;
}

/** Opens the adapters of a service's servers, which need not be there yet. */
export function openDependencies<C extends ServiceConfig, S>(
  options: DependencyOptions<C, S>,
): { dependencies: Dependencies<C, S>; servers: OpenServer[] } {
  const { name, config, logger, clock, health, holder, database, publishes, openStore } = options;
  const namespace = config.NAMESPACE;
  const ids = createIds(clock);
  const mongo = openMongo({ url: config.MONGODB_URL, namespace, logger });
  const bus = new KafkaBus({
    ...clusterOf(config),
    ...{ namespace, clientId: name, publishes, clock, logger },
    deadLetters: documentDeadLetters(mongo.database(database)),
    crashed(error) {
      logger.fatal({ err: error }, 'a consumer has stopped for good');
      process.exit(1);
    },
  });
  const store = openStore?.({ config, clock, logger });
  const dependencies: Dependencies<C, S> = {
    ...{ config, clock, ids, logger, health, holder, bus },
    publicUrl: config.PUBLIC_URL,
    database: (of) => mongo.database(of),
    eventStore: store?.store as S,
  };
  const server = (of: string, { check, close }: Omit<OpenServer, 'name'>): OpenServer => ({ name: of, check, close });
  return { dependencies, servers: [server('mongodb', mongo), ...(store ? [server('eventstoredb', store)] : [])] };
}
