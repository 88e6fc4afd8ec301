import { AWAY_RETRY_SECONDS, createCircuit, systemClock } from '@svc/kernel';
import { type HostAddress, MongoClient, type MongoClientOptions } from 'mongodb';
import { checkNames } from '../declared.ts';
import type { Collection, Doc, DocumentStore } from '../port.ts';
import { reading, TIMEOUT_MS } from './attempt.ts';
import { mongoCollection } from './collection.ts';
import type { Stored } from './codec.ts';
import type { Server } from '../store-span.ts';
import { DocumentStoreUnavailable } from '../unavailable.ts';
import { onceDone, type ServerCollection, serverCollection } from './server-collection.ts';

export interface OpenMongo {
  /** One service's document store, in the database `<namespace>_<name>`. */
  database(name: string): DocumentStore;
  /** True when the server answers and every declared index exists; else why not. */
  check(): Promise<true | string>;
  close(): Promise<void>;
}

export interface MongoOptions {
  url: string;
  /** '' or the prefix before the `_` in the names of all databases. */
  namespace: string;
  logger: Record<'error' | 'warn', (fields: object, message: string) => void>;
}

const PING_MS = 1_500;
/** Connections of one process. */
const MOST_CONNECTIONS = 32;

/** Connects in the background: operations wait for the server, each for its own time. */
export function openMongo({ url, namespace, logger }: MongoOptions): OpenMongo {
  const options = {
    writeConcern: { w: 'majority' },
    readConcern: { level: 'majority' },
    readPreference: 'primary',
    retryWrites: true,
    retryReads: true,
    ignoreUndefined: true,
    maxPoolSize: MOST_CONNECTIONS,
    timeoutMS: TIMEOUT_MS,
    serverSelectionTimeoutMS: TIMEOUT_MS,
    connectTimeoutMS: TIMEOUT_MS,
  } satisfies MongoClientOptions;
  const client = new MongoClient(url, options);
  const probe = createProbe(url, options);
  const circuit = createCircuit({
    ping: () => reading({ what: 'a ping', user }, probe.ping, PING_MS),
    refusal: () => new DocumentStoreUnavailable('MongoDB has not answered for some seconds', AWAY_RETRY_SECONDS),
    clock: systemClock,
    changed: (isOpen) =>
      isOpen
        ? logger.error({}, 'MongoDB does not answer: what needs it is refused until it does')
        : logger.warn({}, 'MongoDB answers again'),
  });
  const user = client.options.credentials?.username ?? '';
  const server = serverOf(client.options.hosts);
  // The driver's own connecting, at the first operation, is never retried.
  const connected = onceDone(() => reading({ what: 'a connection', user }, () => client.connect()));
  const opened = new Map<string, ServerCollection>();
  let isClosed = false;

  return {
    database: (name) => ({
      collection<D extends Doc>(collection: string, { indexes = [], texts = [] } = {}): Collection<D> {
        const database = namespace === '' ? name : `${namespace}_${name}`;
        checkNames(database, collection, indexes);
        const key = `${database}.${collection}`;
        const target =
          opened.get(key) ?? serverCollection(client.db(database).collection<Stored>(collection), connected, { user, server, circuit });
        opened.set(key, target);
        target.declare(indexes, texts);
        target.ready().catch((error: unknown) => {
          if (!isClosed) logger.error({ err: error, collection: key }, 'indexes are not declared yet');
        });
        return mongoCollection<D>(target);
      },
      async unitOfWork(steps) {
        for (const step of steps) await step();
      },
      async time() {
        await connected();
        const { localTime } = await reading({ what: 'its time', user }, ({ timeoutMS }) =>
          client.db('admin').command({ hello: 1 }, { timeoutMS }),
        );
        return (localTime as Date).getTime();
      },
    }),
    async check() {
      try {
        await connected();
        await reading({ what: 'a ping', user }, ({ timeoutMS }) => client.db('admin').command({ ping: 1 }, { timeoutMS }));
        circuit.hear();
        await Promise.all([...opened.values()].map((target) => target.ready()));
        return true;
      } catch (error) {
        return error instanceof Error ? error.message : String(error);
      }
    },
    async close() {
      isClosed = true;
      circuit.close();
      await Promise.all([client.close(), probe.close()]);
    },
  };
}

/** Pings by a connection of its own, which is opened when the first is asked for: those of the operations may all be busy. */
function createProbe(url: string, options: MongoClientOptions) {
  let client: MongoClient | undefined;
  return {
    async ping(): Promise<unknown> {
      client ??= new MongoClient(url, { ...options, maxPoolSize: 1, timeoutMS: PING_MS, serverSelectionTimeoutMS: PING_MS });
      // By itself it connects once only, and where that fails, never again.
      await client.connect();
      return client.db('admin').command({ ping: 1 });
    },
    close: async () => client?.close(),
  };
}

/** Of several hosts the driver chooses. */
const serverOf = ([first, ...others]: HostAddress[]): Server =>
  first?.host === undefined || others.length > 0 ? undefined : { address: first.host, port: first.port ?? 27_017 };
