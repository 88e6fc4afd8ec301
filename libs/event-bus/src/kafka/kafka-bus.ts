import { Server, type CustomTransportStrategy, type MessageHandler } from '@nestjs/microservices';
import type { PublicEvent, Topic } from '@svc/contracts/events/envelope';
import type { Subscription as StoreSubscription } from '@svc/event-store';
import type { Admin } from 'kafkajs';
import { DeadLetterQueues } from '../dead-letters/queues.ts';
import { takeUpDeadLetters } from '../dead-letters/start-taking-up.ts';
import { attempt, type BusOptions } from '../delivery.ts';
import { Lag } from '../lag.ts';
import type { EventBus } from '../port.ts';
import type { Ends } from '../position.ts';
import { startLoggedRelay } from '../publishing/start-logged-relay.ts';
import type { ReadUntil } from '../publishing/mark.ts';
import type { Source } from '../publishing/start-relay.ts';
import { subscriberOf, type Subscriber } from '../subscriber.ts';
import { openKafka } from './client.ts';
import type { Cluster } from './cluster.ts';
import { denied } from './denied.ts';
import { GroupReader } from './group-reader.ts';
import { isOfMarks, marksRead, sendMark } from './marks.ts';
import { createPublisher } from './publisher.ts';
import { ReadMarks, type CountedPartition } from './read-marks.ts';
import { asking, inNamespace, endsOfTopics, partitionName, reportMissing, waitingFor } from './topics.ts';

export interface KafkaBusOptions extends BusOptions, Cluster {
  /** Topics and groups are `<namespace>.<name>`; without a prefix where it is ''. */
  namespace: string;
  clientId: string;
  /** The topics that this process publishes to. Readiness asks for them and for those that it consumes, and for no other. */
  publishes?: readonly Topic[];
  /** A consumer has ended and will not restart: the process should end. */
  crashed: (error: unknown) => void;
}

const SYSTEM = 'kafka';

/** The bus over Kafka: `app.connectMicroservice({ strategy: bus })`. One producer, and one consumer for each group. */
export class KafkaBus extends Server implements CustomTransportStrategy, EventBus {
  /** The bus logs failures after the retries; Nest need not log them too. */
  override readonly propagatesEventHandlerErrors = true;
  private readonly kafka = openKafka(this.options);
  private readonly producer = this.kafka.producer({ allowAutoTopicCreation: false, metadataMaxAge: 3_000 });
  private readonly transmit = createPublisher(this.producer);
  readonly subscribers: Subscriber[] = [];
  private readonly readers = new Map<string, GroupReader>();
  private readonly lag = new Lag(this.options.clock);
  private readonly closing = new AbortController();
  private connected = false;
  private closed = false;
  private looking: Promise<true | string> | undefined;
  private takingUp: Promise<void> | undefined;
  private readonly marks = new ReadMarks();
  readonly deadLetters = new DeadLetterQueues({
    ...this.options,
    closing: this.closing.signal,
    publish: (topic, { event }) => this.republish(topic, event),
  });

  constructor(private readonly options: KafkaBusOptions) {
    super();
  }

  /** Called by Nest for each pattern of each handler. Throws on a second handler of one group and topic. */
  override addHandler(pattern: unknown, handler: MessageHandler, isEventHandler = false, extras: Record<string, unknown> = {}): void {
    const subscriber = subscriberOf(this.subscribers, pattern, handler, isEventHandler);
    this.subscribers.push(subscriber);
    this.deadLetters.addSubscriber(subscriber.subscription, (taken) => attempt({ ...subscriber, system: SYSTEM }, [taken]));
    super.addHandler(pattern, handler, isEventHandler, extras);
  }

  /** Rejects when no broker answers or a topic is missing. Idempotent. */
  async connect(): Promise<void> {
    if (this.connected) return;
    await this.producer.connect();
    const seen = await this.look();
    if (seen !== true) throw new Error(seen);
    this.connected = true;
  }

  /** Connects and joins all groups. */
  async listen(callback: (error?: unknown) => void): Promise<void> {
    const options = { ...this.options, closing: this.closing.signal };
    const named = (name: string): string => inNamespace(options.namespace, name);
    for (const [group, all] of Map.groupBy(this.subscribers, ({ subscription }) => subscription.group)) {
      const deliveries = new Map(all.map((it) => [named(it.subscription.topic), { ...options, ...it, system: SYSTEM }]));
      const moved = (place: string): void => this.lag.moved(group, place);
      this.readers.set(group, new GroupReader(this.kafka, named(group), deliveries, { ...options, moved }));
    }
    this.takingUp ??= takeUpDeadLetters(this.deadLetters);
    const joined = this.connect().then(() => Promise.all([...this.readers.values()].map((reader) => reader.start())));
    await joined.then(() => callback(), callback);
  }

  async publish(topic: string, events: PublicEvent[]): Promise<void> {
    if (this.closed) throw new Error('the bus is closed');
    await this.connect();
    await this.transmit(inNamespace(this.options.namespace, topic), events, (event, why) =>
      this.deadLetters.refused(topic, { event }, why),
    );
    await this.deadLetters.erase(events);
  }

  relay(source: Source): StoreSubscription {
    return startLoggedRelay(source, {
      publish: (topic, events) => this.publish(topic, events),
      deadLetters: this.deadLetters,
      mark: async (topic, mark) => {
        await this.connect();
        await sendMark(this.producer, inNamespace(this.options.namespace, topic), source.source, mark);
      },
    });
  }

  async ends(topic: string): Promise<Ends> {
    const name = inNamespace(this.options.namespace, topic);
    const partitions = await asking(this.kafka, (admin) => admin.fetchTopicOffsets(name)).catch(reportMissing(name));
    return Object.fromEntries(partitions.map(({ partition, high }) => [`${partition}`, high]));
  }

  /** As of the last count, so that no report waits for a broker. */
  async readUntil(group: string): Promise<ReadUntil> {
    void this.look();
    return this.marks.of(group);
  }

  /** Readiness: true when Kafka answers, has the topics, and this process is a member of its groups. Also counts their lag. */
  async check(): Promise<true | string> {
    const seen = await this.look();
    const outside = [...this.readers].find(([, { assigned }]) => !assigned)?.[0];
    return seen === true && outside !== undefined ? `not a member of ${outside}` : seen;
  }

  /** Liveness: not true where events have waited for two minutes and none was tried. Kafka being unavailable does not count. */
  progress(): true | string {
    void this.look(); // used by the next answer
    return this.lag.progress();
  }

  /** Takes no more events, ends retries, and resolves when the batches in work are committed. Publications in flight are completed. */
  async stopConsuming(): Promise<void> {
    this.closing.abort();
    await Promise.all([this.takingUp, ...[...this.readers.values()].map((reader) => reader.stop())]);
  }

  async close(): Promise<void> {
    this.closed = true;
    await this.stopConsuming();
    await this.producer.disconnect();
  }

  on(): never {
    throw new Error('the bus emits no events of its own');
  }

  unwrap<T>(): T {
    return this.kafka as T;
  }

  private async republish(topic: string, event: PublicEvent): Promise<void> {
    await this.connect();
    await this.transmit(inNamespace(this.options.namespace, topic), [event], (_event, why) => Promise.reject(new Error(why)));
  }

  /** Those that this process publishes to or consumes. */
  private topics(): Set<string> {
    return new Set([...(this.options.publishes ?? []), ...this.subscribers.map(({ subscription }) => subscription.topic)]);
  }

  /** True, or what is wrong. Concurrent calls share one check. */
  private look(): Promise<true | string> {
    const count = async (admin: Admin): Promise<true> => {
      const at = this.options.clock.now();
      const marks = await marksRead(admin, this.readers); // before the ends: what a mark says was published before it
      const topicEnds = await endsOfTopics(admin, this.options.namespace, this.topics());
      for (const [group, { groupId, deliveries, assigned }] of this.readers) {
        if (!assigned) continue;
        const counted = new Map<string, CountedPartition>();
        for (const [topic, { subscription }] of deliveries) {
          const waiting = await waitingFor(admin, groupId, topic, topicEnds);
          this.lag.counted(subscription, waiting, assigned);
          if (isOfMarks(subscription)) continue;
          for (const [partition, { high }] of topicEnds.get(topic) ?? []) {
            const place = partitionName(topic, partition);
            counted.set(place, { high, waiting: waiting.get(place) ?? high });
          }
        }
        this.marks.counted(group, { at, mark: marks.get(group) }, counted);
      }
      return true;
    };
    this.looking ??= asking(this.kafka, count)
      .catch((error: unknown) => this.lag.unknown(denied(error, 'describe its topics') ?? error))
      .finally(() => (this.looking = undefined));
    return this.looking;
  }
}
