import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import type { Admin, ITopicConfig, Kafka } from 'kafkajs';
import { topics } from '@svc/contracts/events/envelope';
import { embeddedDocumentStore, type Collection } from '@svc/document-store';
import { Engine } from '@svc/embedded';
import { systemClock, type Clock } from '@svc/kernel';
import { until } from '@svc/kernel/testing/until';
import { documentDeadLetters, type DeadLetter, type DeadLetters } from '../dead-letter.ts';
import type { OpenBus } from '../event-bus.suite.ts';
import { openKafka } from '../kafka/client.ts';
import type { Cluster } from '../kafka/cluster.ts';
import { KafkaBus } from '../kafka/kafka-bus.ts';
import { sendMark } from '../kafka/marks.ts';
import { createTopics, inNamespace, endsOfTopics, waitingFor } from '../kafka/topics.ts';

/** A group finds its members anew within a minute, on a busy machine later; in milliseconds. */
const LONG = 200_000;

/** The address of the cluster for tests. */
export function brokers(): string[] {
  const addresses = process.env.KAFKA_BROKERS;
  if (!addresses) throw new Error('KAFKA_BROKERS is missing: the address of a Kafka that tests may use');
  return addresses.split(',');
}

/** A clock whose waits take a twentieth of the time. */
const quickClock: Clock = {
  now: systemClock.now,
  after: (ms, fire) => systemClock.after(ms / 20, fire),
  sleep: (ms, signal) => systemClock.sleep(ms / 20, signal),
};

export const ROOT = join(import.meta.dirname, '../../../..');
/** Arguments with which Node runs a program of this folder, from ROOT. */
export const fromSource = (program: string): string[] => [
  '--conditions=@svc/source',
  ...['--import', '@swc-node/register/esm-register'],
  join(import.meta.dirname, program),
];

/** Creates a topic as another tool would, and waits until brokers know it. */
export async function createTopic(admin: Admin, topic: ITopicConfig): Promise<void> {
  await admin.createTopics({ topics: [topic], waitForLeaders: false });
  await until(async () => (await admin.fetchTopicOffsets(topic.topic).catch(() => undefined)) !== undefined, LONG);
}

export const quiet = { warn: () => undefined, error: () => undefined };

/** A namespace with topics of its own, and the members of its groups. */
export class KafkaFixture {
  readonly namespace = `t${randomBytes(6).toString('hex')}`;
  readonly deadLetters: DeadLetters;
  private readonly folder = mkdtempSync(join(tmpdir(), 'kafka-bus-'));
  private readonly engine = Engine.open(this.folder, { durable: false });
  private readonly members = new Set<OpenKafkaBus>();
  readonly kafka: Kafka;
  readonly admin: Admin;

  /** @param admin the cluster as its administrator reaches it */
  constructor(
    private readonly cluster: Cluster,
    admin = cluster,
  ) {
    this.kafka = openKafka({ ...admin, clientId: 'tests', logger: quiet });
    this.admin = this.kafka.admin();
    this.deadLetters = documentDeadLetters(embeddedDocumentStore(this.engine, 'svc_test'));
  }

  static async create(on: Cluster = { brokers: brokers() }, admin = on): Promise<KafkaFixture> {
    const fixture = new KafkaFixture(on, admin);
    await untilDone(() => createTopics({ ...on, namespace: fixture.namespace, replicas: 1 }));
    await fixture.admin.connect();
    return fixture;
  }

  /** A member that behaves as a separate process. */
  async join(consumers: Type[], options: MemberOptions = {}): Promise<OpenKafkaBus> {
    const { clock = quickClock, deadLetters = this.deadLetters } = options;
    const crashes: unknown[] = [];
    const crashed = (error: unknown): void => void crashes.push(error);
    const bus = new KafkaBus({
      ...this.cluster,
      namespace: this.namespace,
      clientId: 'tests',
      clock,
      logger: quiet,
      deadLetters,
      crashed,
    });
    class Root {}
    const settings = { logger: false, abortOnError: false } as const;
    const app = await NestFactory.create({ module: Root, controllers: consumers }, new FastifyAdapter(), settings);
    app.connectMicroservice({ strategy: bus });
    await app.init();
    const member = { bus, crashes, leave: () => app.close() };
    this.members.add(member);
    await app.startAllMicroservices();
    return member;
  }

  /** Says, as the relay of invoicing does, that everything that was stored until now is published. */
  async mark(): Promise<void> {
    const producer = this.kafka.producer({ allowAutoTopicCreation: false });
    await producer.connect();
    await sendMark(producer, this.topic(topics.published), 'invoicing', { until: systemClock.now(), put_aside: {} });
    await producer.disconnect();
  }

  topic(name: string): string {
    return inNamespace(this.namespace, name);
  }

  /** How many events of the namespace each group of these members has not committed. */
  async lag(): Promise<number> {
    const subscriptions = [...this.members].flatMap(({ bus }) => bus.subscribers).map(({ subscription }) => subscription);
    const consumed = new Set(subscriptions.map(({ topic }) => topic));
    const reach = await endsOfTopics(this.admin, this.namespace, consumed);
    let lag = 0;
    for (const subscription of subscriptions) {
      const waiting = await waitingFor(this.admin, this.topic(subscription.group), this.topic(subscription.topic), reach);
      lag += [...waiting.values()].reduce((sum, events) => sum + events, 0);
    }
    return lag;
  }

  async caughtUp(): Promise<void> {
    await until(async () => (await this.lag().catch(() => 1)) === 0, LONG);
  }

  private async removeTopics(): Promise<void> {
    const own = (await this.admin.listTopics()).filter((topic) => topic.startsWith(this.topic('')));
    if (own.length > 0) await this.admin.deleteTopics({ topics: own });
  }

  async close(): Promise<void> {
    const groups = [...this.members].flatMap(({ bus }) => bus.subscribers).map(({ subscription }) => this.topic(subscription.group));
    for (const member of this.members) await member.leave();
    if (groups.length > 0) await this.admin.deleteGroups([...new Set(groups)]).catch(() => undefined);
    await untilDone(() => this.removeTopics());
    await this.admin.disconnect();
    this.engine.close();
    rmSync(this.folder, { recursive: true });
  }
}

/** Repeats idempotent work where a broker was too slow to answer. */
async function untilDone(work: () => Promise<unknown>): Promise<void> {
  for (let tries = 1; ; tries += 1)
    try {
      return void (await work());
    } catch (error) {
      if (tries === 10) throw error;
      await systemClock.sleep(500);
    }
}

export interface MemberOptions {
  clock?: Clock;
  deadLetters?: (group: string) => Collection<DeadLetter>;
}

export interface OpenKafkaBus {
  bus: KafkaBus;
  /** The errors that `crashed` received. */
  crashes: unknown[];
  leave(): Promise<void>;
}

export async function openKafkaFixture(consumers: Type[]): Promise<OpenBus> {
  const fixture = await KafkaFixture.create();
  let member = await fixture.join(consumers);
  return {
    get bus() {
      return member.bus;
    },
    deadLetters: fixture.deadLetters,
    stored: async () => [],
    relaysFrom: () => undefined,
    async settle(publishing) {
      await publishing;
      await fixture.caughtUp();
    },
    async replace(by) {
      await member.leave();
      member = await fixture.join(by);
    },
    close: () => fixture.close(),
  };
}
