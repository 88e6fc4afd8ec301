import { randomBytes } from 'node:crypto';
import type { Admin } from 'kafkajs';
import type { MongoClient } from 'mongodb';
import { eventually } from './client.ts';

/** Addresses of the real servers. */
export interface Servers {
  kafkaBrokers: string;
  mongodbUrl: string;
  eventStoreUrl: string;
  /** The same, as settings of a process. */
  env: Record<'KAFKA_BROKERS' | 'MONGODB_URL' | 'EVENT_STORE_URL', string>;
}

/** The servers with the namespace of one system: the prefix of its databases, topics and streams. */
export type NamespacedServers = Servers & { namespace: string };

export const serversAt = (env: Servers['env']): Servers => ({
  kafkaBrokers: env.KAFKA_BROKERS,
  mongodbUrl: env.MONGODB_URL,
  eventStoreUrl: env.EVENT_STORE_URL,
  env,
});

/** The servers of the environment. Throws with the names of all missing addresses. */
export function serversFromEnvironment(): Servers {
  const { KAFKA_BROKERS = '', MONGODB_URL = '', EVENT_STORE_URL = '' } = process.env;
  const env = { KAFKA_BROKERS, MONGODB_URL, EVENT_STORE_URL };
  const missing = Object.entries(env).flatMap(([name, value]) => (value === '' ? [name] : []));
  if (missing.length > 0) throw new Error(`not in the environment: ${missing.join(', ')}`);
  return serversAt(env);
}

/** A new, unused namespace. */
export const newNamespace = (): string => `t${BigInt(`0x${randomBytes(8).toString('hex')}`).toString(36)}`;

// Client libraries are loaded on first use: a system of one process needs none.

export async function withKafka<T>({ kafkaBrokers }: Pick<Servers, 'kafkaBrokers'>, work: (admin: Admin) => Promise<T>): Promise<T> {
  const { default: kafkajs } = await import('kafkajs');
  const kafka = new kafkajs.Kafka({ clientId: 'testkit', brokers: kafkaBrokers.split(','), logLevel: kafkajs.logLevel.NOTHING });
  const admin = kafka.admin();
  await admin.connect();
  try {
    return await work(admin);
  } finally {
    await admin.disconnect();
  }
}

export async function withMongo<T>({ mongodbUrl }: Pick<Servers, 'mongodbUrl'>, work: (client: MongoClient) => Promise<T>): Promise<T> {
  const { MongoClient } = await import('mongodb');
  const client = new MongoClient(mongodbUrl, { timeoutMS: 20_000 });
  try {
    return await work(client);
  } finally {
    await client.close();
  }
}

export const topicsOf = async (admin: Admin, { namespace }: Pick<NamespacedServers, 'namespace'>): Promise<string[]> =>
  (await admin.listTopics()).filter((topic) => topic.startsWith(`${namespace}.`));

export async function databasesOf(client: MongoClient, { namespace }: Pick<NamespacedServers, 'namespace'>): Promise<string[]> {
  const { databases } = await client.db('admin').admin().listDatabases({ nameOnly: true });
  return databases.map(({ name }) => name).filter((name) => name.startsWith(`${namespace}_`));
}

/** All events of the namespace, as stored. */
export async function eventsOf({ eventStoreUrl, namespace }: NamespacedServers): Promise<{ stream: string; type: string; text: string }[]> {
  const { EventStoreDBClient } = await import('@eventstore/db-client');
  const client = EventStoreDBClient.connectionString(eventStoreUrl);
  const all: { stream: string; type: string; text: string }[] = [];
  for await (const { event } of client.readAll())
    if (event?.streamId.startsWith(`${namespace}_`))
      all.push({ stream: event.streamId, type: event.type, text: JSON.stringify([event.data, event.metadata]) });
  await client.dispose();
  return all;
}

/** Drops the databases and topics of a namespace. Streams stay, because they cannot be dropped. */
export async function forget(servers: NamespacedServers): Promise<void> {
  await withMongo(servers, async (client) => {
    for (const name of await databasesOf(client, servers)) await client.db(name).dropDatabase();
  });
  // When the response of a deletion is lost, the remaining topics decide.
  const remove = async (admin: Admin): Promise<boolean> => {
    const topics = await topicsOf(admin, servers);
    if (topics.length > 0) await admin.deleteTopics({ topics });
    return topics.length === 0;
  };
  await withKafka(servers, (admin) => eventually(() => remove(admin), 'no topics'));
}
