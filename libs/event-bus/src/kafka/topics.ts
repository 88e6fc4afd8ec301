import { documentTopics, topics, type PublicEvent, type Topic } from '@svc/contracts/events/envelope';
import { systemClock } from '@svc/kernel';
import kafkajs, { Partitioners, type Admin, type FetchOffsetsPartition, type Kafka, type PartitionMetadata } from 'kafkajs';
import { BATCH_HEAD_BYTES, MAX_BATCH_BYTES, RECORD_BYTES } from '../envelope.ts';
import { openKafka } from './client.ts';
import type { Cluster } from './cluster.ts';
import { denied } from './denied.ts';

/** Of every topic, permanently: the events of a subject are in order because they are in one partition. */
export const PARTITIONS = 12;

type Config = Record<string, string>;
const DAY_MS = 24 * 60 * 60 * 1_000;
const keptFor = (ms: number): Config => ({ 'cleanup.policy': 'delete', 'retention.ms': `${ms}`, 'retention.bytes': '-1' });
const FOR_EVER = -1;
type DocumentTopic = (typeof documentTopics)[keyof typeof documentTopics];

/** All topics and their retention. Dead letters have none: they are documents of the service whose group could not handle an event. */
export const topicConfigs: Record<Topic, Config> = {
  ...(Object.fromEntries(Object.values(documentTopics).map((topic) => [topic, keptFor(FOR_EVER)])) as Record<DocumentTopic, Config>),
  // Compaction keeps an erased customer's last event, which holds nothing personal: after 7 days, so that a group which is behind reads all of them, and within
  // 14, which Kafka does not guarantee by default.
  [topics.customer]: {
    'cleanup.policy': 'compact',
    'min.compaction.lag.ms': `${7 * DAY_MS}`,
    'max.compaction.lag.ms': `${14 * DAY_MS}`,
  },
  [topics.history]: keptFor(FOR_EVER),
  [topics.series]: keptFor(FOR_EVER),
  // The last mark of each source stays.
  [topics.published]: { 'cleanup.policy': 'compact', 'max.compaction.lag.ms': `${DAY_MS}` },
  [topics.registration]: keptFor(30 * DAY_MS),
  [topics.fiscalRegistration]: keptFor(30 * DAY_MS),
  [topics.setting]: keptFor(30 * DAY_MS),
};

/** Systems that share a cluster have prefixes: `<namespace>.<name>`. */
export const inNamespace = (namespace: string, name: string): string => (namespace === '' ? name : `${namespace}.${name}`);
export const partitionName = (topic: string, partition: number): string => `${topic}[${partition}]`;

const murmur2 = Partitioners.DefaultPartitioner();
const partitionMetadata = Array.from({ length: PARTITIONS }, (_, partitionId) => ({ partitionId, leader: 0 }) as PartitionMetadata);

/** The partition of a subject: murmur2 of its UTF-8, as Kafka's own clients calculate it. */
export const partitionOf = (subject: string): number => murmur2({ topic: '', partitionMetadata, message: { key: subject, value: null } });

const BATCH_BYTES = MAX_BATCH_BYTES - BATCH_HEAD_BYTES;

const messageOf = (event: PublicEvent) => ({
  partition: partitionOf(String(event.subject)),
  key: String(event.subject),
  value: Buffer.from(JSON.stringify(event)),
  headers: { type: String(event.type), ...(event.traceparent === undefined ? {} : { traceparent: String(event.traceparent) }) },
});
export type BusMessage = ReturnType<typeof messageOf>;

/** The messages of each partition, in order, in batches that a broker accepts. A message too large for a batch stays alone. */
export function batchesOf(events: PublicEvent[]): Map<number, BusMessage[][]> {
  const batches = new Map<number, BusMessage[][]>();
  const free = new Map<number, number>();
  for (const message of events.map(messageOf)) {
    const bytes = message.value.length + RECORD_BYTES;
    const left = (free.get(message.partition) ?? 0) - bytes;
    const before = batches.get(message.partition) ?? [];
    if (left >= 0) before.at(-1)?.push(message);
    else batches.set(message.partition, [...before, [message]]);
    free.set(message.partition, left >= 0 ? left : BATCH_BYTES - bytes);
  }
  return batches;
}

/** Uses a new connection: kafkajs does not update an older one with new topics and leaders. */
export async function asking<T>(kafka: Kafka, ask: (admin: Admin) => Promise<T>): Promise<T> {
  const admin = kafka.admin({ retry: { retries: 1 } });
  try {
    await admin.connect();
    return await ask(admin);
  } finally {
    await admin.disconnect().catch(() => undefined);
  }
}

/** The first offset of each partition and the one after its last, by topic and partition. */
export type TopicEnds = ReadonlyMap<string, ReadonlyMap<number, { low: number; high: number }>>;

/** Of topics by their names without the namespace. Rejects when one is missing, or has too few partitions. */
export async function endsOfTopics(admin: Admin, namespace: string, names: Iterable<string>): Promise<TopicEnds> {
  const topicEnds = new Map<string, Map<number, { low: number; high: number }>>();
  for (const name of names) {
    const topic = inNamespace(namespace, name);
    const ends = await admin.fetchTopicOffsets(topic).catch(reportMissing(topic));
    if (ends.length < PARTITIONS) throw new Error(`topic ${topic} has ${ends.length} partitions and needs ${PARTITIONS}`);
    topicEnds.set(topic, new Map(ends.map(({ partition, low, high }) => [partition, { low: Number(low), high: Number(high) }])));
  }
  return topicEnds;
}

/** What a group has committed of each partition of a topic. */
export async function committedOf(admin: Admin, groupId: string, topic: string): Promise<FetchOffsetsPartition[]> {
  const committed = await admin.fetchOffsets({ groupId, topics: [topic] }).catch((error: unknown) => {
    throw denied(error, `use the group ${groupId}`) ?? error;
  });
  return committed.flatMap(({ partitions }) => partitions);
}

/** How many events of a topic a group has not committed, by partition. */
export async function waitingFor(admin: Admin, groupId: string, topic: string, topicEnds: TopicEnds): Promise<Map<string, number>> {
  const waiting = new Map<string, number>();
  for (const { partition, offset } of await committedOf(admin, groupId, topic)) {
    const { low, high } = topicEnds.get(topic)?.get(partition) ?? { low: 0, high: 0 };
    waiting.set(partitionName(topic, partition), Math.max(0, high - Math.max(low, Number(offset)))); // -1: none was committed
  }
  return waiting;
}

/** Rethrows an error; one about a missing topic says what to do, one about a missing right becomes `Denied`. */
export const reportMissing =
  (topic: string) =>
  (error: unknown): never => {
    const refused = denied(error, `use the topic ${topic}`);
    if (refused) throw refused;
    throw isUnknownTopic(error) ? new Error(`topic ${topic} is missing: create it with npm run topics`, { cause: error }) : error;
  };

function isUnknownTopic(error: unknown): boolean {
  const { type, cause } = error as { type?: unknown; cause?: unknown };
  return type === 'UNKNOWN_TOPIC_OR_PARTITION' || (cause !== undefined && isUnknownTopic(cause));
}

export interface TopicsOptions extends Cluster {
  namespace: string;
  /** Brokers that hold each topic; by default three, or all where there are fewer. */
  replicas?: number;
  /** All by default. */
  only?: readonly Topic[];
}

/**
 * Creates missing topics; may run concurrently. Existing topics stay as they are, for operators to change: `different` lists settings that
 * differ from those of a new topic. Rejects when a topic has too few partitions: adding some would break the order.
 */
export async function createTopics({
  namespace,
  replicas,
  only = Object.values(topics),
  ...cluster
}: TopicsOptions): Promise<{ created: string[]; different: string[] }> {
  const kafka = openKafka({ ...cluster, clientId: 'topics', logger: { warn: () => undefined, error: () => undefined } });
  return asking(kafka, async (admin) => {
    const replicationFactor = replicas ?? Math.min(3, (await admin.describeCluster()).brokers.length);
    const wanted = only.map((name) => ({
      topic: inNamespace(namespace, name),
      numPartitions: PARTITIONS,
      replicationFactor,
      // With three replicas one may fail, and what is acknowledged is on two.
      configs: {
        ...topicConfigs[name],
        'max.message.bytes': `${MAX_BATCH_BYTES}`,
        'min.insync.replicas': replicationFactor > 2 ? '2' : '1',
      },
    }));
    const there = await admin.listTopics();
    const created = await Promise.all(
      wanted
        .filter(({ topic }) => !there.includes(topic))
        .map(async ({ configs, ...topic }) => {
          const configEntries = Object.entries(configs).map(([name, value]) => ({ name, value }));
          // False: another process created it. Leaders are waited for below, since a broker may not know a new topic yet.
          return (await admin.createTopics({ topics: [{ ...topic, configEntries }], waitForLeaders: false })) ? [topic.topic] : [];
        }),
    );
    await untilAllAreThere(admin, namespace, only);
    const different = await Promise.all(wanted.map(({ topic, configs }) => differences(admin, topic, configs)));
    return { created: created.flat(), different: different.flat() };
  });
}

/** Brokers learn one after the other of a new topic and of the partitions that they lead. */
async function untilAllAreThere(admin: Admin, namespace: string, names: readonly Topic[]): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    const failed = await endsOfTopics(admin, namespace, names).then(
      () => undefined,
      (error: unknown) => ({ error }),
    );
    if (!failed) return;
    if (tries === 50) throw failed.error;
    await systemClock.sleep(100);
  }
}

async function differences(admin: Admin, topic: string, wanted: Record<string, string>): Promise<string[]> {
  const resource = { type: kafkajs.ConfigResourceTypes.TOPIC, name: topic, configNames: Object.keys(wanted) };
  const { resources } = await admin.describeConfigs({ resources: [resource], includeSynonyms: false });
  const entries = resources.flatMap(({ configEntries }) => configEntries);
  return entries
    .filter(({ configName, configValue }) => wanted[configName] !== configValue)
    .map(({ configName, configValue }) => `${topic}: ${configName} is ${configValue}, a new one would have ${wanted[configName]}`);
}
