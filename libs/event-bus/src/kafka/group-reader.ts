import type { Consumer, EachBatchPayload, Kafka, KafkaMessage } from 'kafkajs';
import { arrivalOf, deliver, type BusOptions, type DeliveryOptions } from '../delivery.ts';
import { denied } from './denied.ts';
import { detach, FETCHING } from './fetching.ts';
import { placeOf } from './topics.ts';

const LIVING = { sessionTimeout: 6_000, heartbeatInterval: 500, metadataMaxAge: 3_000, allowAutoTopicCreation: false };
const RUNNING = { autoCommit: false, eachBatchAutoResolve: false, partitionsConsumedConcurrently: 4 };
const CHUNK = 200;
/** kafkajs fetches nothing and sends no heartbeat while it waits for a batch: one that takes longer is finished aside. */
const SLICE_MS = 100;
const TELL_AGAIN_MS = 60_000;

/** A member of one group: gives its handlers what comes in its partitions, in order, and commits what they are through with. */
export class GroupReader {
  /** The partitions it has; undefined while it is no member. */
  assigned: ReadonlySet<string> | undefined;
  private readonly consumer: Consumer;
  private toldOfRefusal = -Infinity;
  /** The batch in hand of each partition. */
  private readonly lanes = new Map<string, Promise<void>>();

  /** `deliveries` by Kafka's topic. `crashed`: it is dead for good. `moved`: a handler answered, or gave up, about a partition's events. */
  constructor(
    kafka: Kafka,
    readonly groupId: string,
    readonly deliveries: ReadonlyMap<string, DeliveryOptions>,
    private readonly options: BusOptions & { closing: AbortSignal; crashed: (error: unknown) => void; moved: (place: string) => void },
  ) {
    const retry = { restartOnFailure: async () => !options.closing.aborted };
    this.consumer = kafka.consumer({ groupId, ...LIVING, ...FETCHING, retry });
    this.consumer.on('consumer.group_join', ({ payload: { memberAssignment } }) => {
      this.assigned = new Set(Object.entries(memberAssignment).flatMap(([topic, numbers]) => numbers.map((n) => placeOf(topic, n))));
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
   * kafkajs gives up for good when a broker does not say who coordinates the group, which passes with what ails the broker, and when it
   * refuses the user, which passes when the right is granted again.
   */
  private passes(error: unknown): boolean {
    const { clock, logger } = this.options;
    const refused = denied(error, `read as the group ${this.groupId}`);
    if (refused && clock.now() - this.toldOfRefusal >= TELL_AGAIN_MS) {
      this.toldOfRefusal = clock.now();
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

  /** After `closing`: waits for what is in hand, and leaves. */
  async stop(): Promise<void> {
    await Promise.allSettled(this.lanes.values());
    await this.consumer.disconnect();
  }

  private async take(payload: EachBatchPayload): Promise<void> {
    const { topic, partition } = payload.batch;
    const place = placeOf(topic, partition);
    if (this.options.closing.aborted || this.lanes.has(place)) return void payload.pause(); // it comes again when the lane ends
    const lane = this.work(place, payload).finally(() => {
      this.lanes.delete(place);
      if (this.assigned) this.consumer.resume([{ topic, partitions: [partition] }]);
    });
    this.lanes.set(place, lane);
    lane.catch((error: unknown) => this.options.logger.warn({ place, err: error }, 'handled events were not committed: they come again'));
    const slice = Promise.withResolvers<void>();
    const cancel = this.options.clock.after(SLICE_MS, slice.resolve);
    await Promise.race([lane, slice.promise]).finally(cancel);
    if (!this.lanes.has(place)) return;
    payload.pause();
    detach(payload.batch);
  }

  /** Stops short, and the rest comes again, when the bus closes, the partition is another's, or events can be neither handled nor kept. */
  private async work(place: string, { batch, ...member }: EachBatchPayload): Promise<void> {
    const { clock, closing, logger } = this.options;
    const delivery = this.deliveries.get(batch.topic) as DeliveryOptions;
    const answered = (): void => this.options.moved(place);
    const handle: DeliveryOptions['handle'] = (...given) => delivery.handle(...given).finally(answered);
    const end = BigInt(batch.highWatermark);
    for (let n = 0; n < batch.messages.length && this.assigned?.has(place) && !closing.aborted; n += CHUNK) {
      const chunk = batch.messages.slice(n, n + CHUNK);
      // A message without a value is a tombstone: between a topic and its compaction.
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
