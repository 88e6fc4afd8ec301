import type { Batch, Consumer, EachBatchPayload, Kafka, KafkaMessage } from 'kafkajs';
import { arrivalOf, type BusOptions, deliver, type DeliveryOptions } from '../delivery.ts';
import { denied } from './denied.ts';
import { isOfMarks, metadataOf } from './marks.ts';
import { partitionName } from './topics.ts';
import { MAX_BATCH_BYTES } from '../envelope.ts';

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
    private readonly options: BusOptions & {
      closing: AbortSignal;
      crashed: (error: unknown) => void;
      moved: (partitionId: string) => void;
    },
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
    const partitionId = partitionName(topic, partition);
    if (this.options.closing.aborted || this.inWork.has(partitionId)) return void payload.pause(); // fetched again once the batch in work has ended
    const work = this.work(partitionId, payload).finally(() => {
      this.inWork.delete(partitionId);
      if (this.assigned) this.consumer.resume([{ topic, partitions: [partition] }]);
    });
    this.inWork.set(partitionId, work);
    work.catch((error: unknown) =>
      this.options.logger.warn({ partitionId, err: error }, 'handled events were not committed: they come again'),
    );
    const slice = Promise.withResolvers<void>();
    const cancel = this.options.clock.after(SLICE_MS, slice.resolve);
    await Promise.race([work, slice.promise]).finally(cancel);
    if (!this.inWork.has(partitionId)) return;
    payload.pause();
    detach(payload.batch);
  }

  /** Stops early when the bus closes, the partition is revoked, or events can neither be handled nor stored: the rest is fetched again. */
  private async work(partitionId: string, { batch, ...member }: EachBatchPayload): Promise<void> {
    const { clock, closing, logger } = this.options;
    const delivery = this.deliveries.get(batch.topic) as DeliveryOptions;
    const answered = (): void => this.options.moved(partitionId);
    if (isOfMarks(delivery.subscription)) return this.takeMarks(partitionId, { batch, ...member }).finally(answered);
    const handle: DeliveryOptions['handle'] = (...given) => delivery.handle(...given).finally(answered);
    const end = BigInt(batch.highWatermark);
    for (let n = 0; n < batch.messages.length && this.assigned?.has(partitionId) && !closing.aborted; n += CHUNK) {
      const chunk = batch.messages.slice(n, n + CHUNK);
      // A message without a value is a tombstone, which a topic has between a delete and its compaction.
      const arrivals = chunk.flatMap(({ value, offset }) => {
        const position = { part: `${batch.partition}`, at: BigInt(offset), end };
        return value ? arrivalOf(value.toString(), { origin: `kafka:${partitionId}@${offset}`, position }) : [];
      });
      try {
        await deliver({ ...delivery, handle }, arrivals).finally(answered);
      } catch (error) {
        if (!closing.aborted) logger.error({ partitionId, err: error }, 'events could be neither handled nor kept; they come again');
        return clock.sleep(1_000, closing);
      }
      if (!this.assigned?.has(partitionId)) return;
      member.resolveOffset((chunk.at(-1) as KafkaMessage).offset);
      const { topics } = member.uncommittedOffsets();
      await member.commitOffsetsIfNecessary({ topics: topics.filter(({ topic }) => !this.isMarks(topic)) });
    }
  }

  private isMarks(topic: string): boolean {
    const delivery = this.deliveries.get(topic);
    return delivery !== undefined && isOfMarks(delivery.subscription);
  }

  /** No other commit may be of this partition: it would not have the mark. */
  private async takeMarks(partitionId: string, { batch, ...member }: EachBatchPayload): Promise<void> {
    const { topic, partition, messages } = batch;
    const last = messages.at(-1);
    if (!last || !this.assigned?.has(partitionId)) return;
    member.resolveOffset(last.offset);
    const offset = `${BigInt(last.offset) + 1n}`;
    const partitions: { partition: number; offset: string; metadata: string | null }[] = [
      { partition, offset, metadata: metadataOf(messages) },
    ];
    await member.commitOffsetsIfNecessary({ topics: [{ topic, partitions }] });
  }
}

/**
 * What a consumer requests from a broker. A broker fills its response partition by partition up to `maxBytes`, in the order of the request,
 * which kafkajs shuffles for each fetch. A batch larger than its partition's share is returned only where no earlier partition has data.
 * So a share holds the largest batch, and one response holds the shares of all partitions of a topic.
 */
export const FETCHING = { maxWaitTimeInMs: 100, minBytes: 1, maxBytesPerPartition: MAX_BATCH_BYTES, maxBytes: 16 * 1_048_576 };

/**
 * Copies the messages of a partition. kafkajs hands them out as parts of the broker's whole response, which would stay in memory while a
 * slow partition holds one of them.
 */
export function detach(batch: Batch): void {
  // Besides those handed out kafkajs keeps earlier messages of the same batch.
  const { rawMessages = batch.messages } = batch as Batch & { rawMessages?: KafkaMessage[] };
  const handedOut = new Set(batch.messages);
  for (const message of rawMessages) {
    message.value = handedOut.has(message) && message.value ? Buffer.from(message.value) : null;
    message.key = null;
    message.headers = {};
  }
}
