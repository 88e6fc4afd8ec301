import type { Consumer, EachBatchPayload, Kafka, KafkaMessage } from 'kafkajs';
import { arrivalOf, deliver, type BusOptions, type DeliveryOptions } from '../delivery.ts';
import { denied } from './denied.ts';
import { detach, FETCHING } from './fetching.ts';
import { partitionName } from './topics.ts';

const LIVING = { sessionTimeout: 6_000, heartbeatInterval: 500, metadataMaxAge: 3_000, allowAutoTopicCreation: false };
const RUNNING = { autoCommit: false, eachBatchAutoResolve: false, partitionsConsumedConcurrently: 4 };
const CHUNK = 200;
/** kafkajs fetches nothing and sends no heartbeat while it waits for a batch: after this time the batch continues with its partition paused. */
const SLICE_MS = 100;
const LOG_AGAIN_MS = 60_000;

/** A member of one group: passes the messages of its partitions to the handlers in order, and commits those that were handled. */
export class GroupReader {
  /** The assigned partitions; undefined while it is no member. */
  assigned: ReadonlySet<string> | undefined;
  private readonly consumer: Consumer;
  private loggedDenied = -Infinity;
  /** The batch in work of each partition. */
  private readonly inWork = new Map<string, Promise<void>>();

  /**
   * `deliveries` by Kafka's topic. `crashed`: called when the consumer ends for good. `moved`: called when a handler has answered or failed for a partition.
   */
  constructor(
    kafka: Kafka,
    readonly groupId: string,
    readonly deliveries: ReadonlyMap<string, DeliveryOptions>,
    private readonly options: BusOptions & { closing: AbortSignal; crashed: (error: unknown) => void; moved: (place: string) => void },
  ) {
    const retry = { restartOnFailure: async () => !options.closing.aborted };
    this.consumer = kafka.consumer({ groupId, ...LIVING, ...FETCHING, retry });
    this.consumer.on('consumer.group_join', ({ payload: { memberAssignment } }) => {
      this.assigned = new Set(Object.entries(memberAssignment).flatMap(([topic, numbers]) => numbers.map((n) => partitionName(topic, n))));
    });
    this.consumer.on('consumer.crash', ({ payload: { restart, error } }) => {
      this.assigned = undefined;
      if (restart || options.closing.aborted) return;
      if (this.passes(error)) void this.runAgain();
      else options.crashed(error);
    });
  }

  /** Resolves when it has joined. */
  async start(): Promise<void> {
    await this.consumer.connect();
    await this.consumer.subscribe({ topics: [...this.deliveries.keys()], fromBeginning: true });
    await this.run();
  }

  private run(): Promise<void> {
    return this.consumer.run({ ...RUNNING, eachBatch: (payload) => this.take(payload) });
  }

  /**
   * kafkajs gives up when a broker does not know the group's coordinator, and when it rejects the user. Both can pass: the broker recovers,
   * the right is granted.
   */
  private passes(error: unknown): boolean {
    const { clock, logger } = this.options;
    const refused = denied(error, `read as the group ${this.groupId}`);
    if (refused && clock.now() - this.loggedDenied >= LOG_AGAIN_MS) {
      this.loggedDenied = clock.now();
      logger.error({ group: this.groupId, reason: refused.message }, 'Kafka refuses a group; it joins when it may');
    }
    return refused !== undefined || (error as Error).name === 'KafkaJSGroupCoordinatorNotFound';
  }

  private async runAgain(): Promise<void> {
    const { clock, closing, crashed } = this.options;
    await clock.sleep(1_000, closing);
    if (closing.aborted) return;
    await this.run().catch((error: unknown) => (this.passes(error) ? this.runAgain() : crashed(error)));
  }

  /** After `closing`: waits for the batches in work, then leaves the group. */
  async stop(): Promise<void> {
    await Promise.allSettled(this.inWork.values());
    await this.consumer.disconnect();
  }

  private async take(payload: EachBatchPayload): Promise<void> {
    const { topic, partition } = payload.batch;
    const place = partitionName(topic, partition);
    if (this.options.closing.aborted || this.inWork.has(place)) return void payload.pause(); // fetched again once the batch in work has ended
    const work = this.work(place, payload).finally(() => {
      this.inWork.delete(place);
      if (this.assigned) this.consumer.resume([{ topic, partitions: [partition] }]);
    });
    this.inWork.set(place, work);
    work.catch((error: unknown) => this.options.logger.warn({ place, err: error }, 'handled events were not committed: they come again'));
    const slice = Promise.withResolvers<void>();
    const cancel = this.options.clock.after(SLICE_MS, slice.resolve);
    await Promise.race([work, slice.promise]).finally(cancel);
    if (!this.inWork.has(place)) return;
    payload.pause();
    detach(payload.batch);
  }

  /** Stops early when the bus closes, the partition is revoked, or events can neither be handled nor stored: the rest is fetched again. */
  private async work(place: string, { batch, ...member }: EachBatchPayload): Promise<void> {
    const { clock, closing, logger } = this.options;
    const delivery = this.deliveries.get(batch.topic) as DeliveryOptions;
    const answered = (): void => this.options.moved(place);
    const handle: DeliveryOptions['handle'] = (...given) => delivery.handle(...given).finally(answered);
    const end = BigInt(batch.highWatermark);
    for (let n = 0; n < batch.messages.length && this.assigned?.has(place) && !closing.aborted; n += CHUNK) {
      const chunk = batch.messages.slice(n, n + CHUNK);
      // A message without a value is a tombstone, which a topic has between a delete and its compaction.
      const arrivals = chunk.flatMap(({ value, offset }) => {
        const position = { part: `${batch.partition}`, at: BigInt(offset), end };
        return value ? arrivalOf(value.toString(), { origin: `kafka:${place}@${offset}`, position }) : [];
      });
      try {
        await deliver({ ...delivery, handle }, arrivals).finally(answered);
      } catch (error) {
        if (!closing.aborted) logger.error({ place, err: error }, 'events could be neither handled nor kept; they come again');
        return clock.sleep(1_000, closing);
      }
      if (!this.assigned?.has(place)) return;
      member.resolveOffset((chunk.at(-1) as KafkaMessage).offset);
      await member.commitOffsetsIfNecessary(member.uncommittedOffsets());
    }
  }
}
