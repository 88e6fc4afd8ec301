import { type HostAddress, MongoClient } from 'mongodb';
import { checkNames } from '../declared.ts';
import type { Collection, Doc, DocumentStore } from '../port.ts';
import { reading, TIMEOUT_MS } from './attempt.ts';
import { mongoCollection } from './collection.ts';
import type { Stored } from './codec.ts';
import type { Server } from '../store-span.ts';
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
  logger: { error(fields: object, message: string): void };
}

/** Connections of one process. */
const MOST_CONNECTIONS = 32;

/** Connects in the background: operations wait for the server, each for its own time. */
export function openMongo({ url, namespace, logger }: MongoOptions): OpenMongo {
  const client = new MongoClient(url, {
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
  });
  const user = client.options.credentials?.username ?? '';
  const server = serverOf(client.options.hosts);
  // The driver's own connecting, at the first operation, is never retried.
  const connected = onceDone(() => reading({ what: 'a connection', user }, () => client.connect()));
  const opened = new Map<string, ServerCollection>();
  let isClosed = false;

  return {
    database: (name) => ({
      collection<D extends Doc>(collection: string, { indexes = [] } = {}): Collection<D> {
        const database = namespace === '' ? name : `${namespace}_${name}`;
        checkNames(database, collection, indexes);
        const key = `${database}.${collection}`;
        const target = opened.get(key) ?? serverCollection(client.db(database).collection<Stored>(collection), connected, { user, server });
        opened.set(key, target);
        target.declare(indexes);
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
        await Promise.all([...opened.values()].map((target) => target.ready()));
        return true;
      } catch (error) {
        return error instanceof Error ? error.message : String(error);
      }
    },
    async close() {
      isClosed = true;
      await client.close();
    },
  };
}

/** Of several hosts the driver chooses. */
const serverOf = ([first, ...others]: HostAddress[]): Server =>
  first?.host === undefined || others.length > 0 ? undefined : { address: first.host, port: first.port ?? 27_017 };
