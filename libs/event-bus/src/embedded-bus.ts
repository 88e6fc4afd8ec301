import { Server, type CustomTransportStrategy, type MessageHandler } from '@nestjs/microservices';
import type { PublicEvent } from '@svc/contracts/events/envelope';
import type { Subscription as StoreSubscription } from '@svc/event-store';
import { allDone, KeyedQueue } from '@svc/kernel';
import type { Subscription } from './consumes.ts';
import { DeadLetterQueues } from './dead-letters/queues.ts';
import { takeUpDeadLetters } from './dead-letters/start-taking-up.ts';
import { attempt, deliver, type BusOptions, type DeliveryOptions } from './delivery.ts';
import type { EventBus } from './port.ts';
import type { Ends, Taken } from './position.ts';
import { eventTooLarge } from './envelope.ts';
import { NOTHING_READ, type ReadUntil } from './publishing/mark.ts';
import { earliest, putAsideIn } from './publishing/put-aside.ts';
import { startGroupRelays, type GroupRelays } from './publishing/start-group-relays.ts';
import type { Source } from './publishing/start-relay.ts';
import { subscriberOf } from './subscriber.ts';

export interface EmbeddedBusOptions extends BusOptions {
  /** The position of the newest event in the publisher's store. */
  head(): Promise<bigint>;
}

/** The store numbers the events of all topics. */
const STORE = 'store';

/** How long `readUntil` waits for what is being handled. */
const READ_WITHIN_MS = 1_000;

/** One group on one topic: handles its batches in sequence, in the order in which they were published. */
interface Subscribed {
  subscription: Subscription;
  delivery: DeliveryOptions;
}

/**
 * The bus of one process: `app.connectMicroservice({ strategy: bus })`. Stores nothing: `publish` hands the events to every group and
 * resolves when all have handled them, so a restart repeats from the publisher's checkpoint. Its queue is bounded, since each publisher
 * waits for its own batch.
 */
export class EmbeddedBus extends Server implements CustomTransportStrategy, EventBus {
  /** The bus logs failures after the retries; Nest need not log them too. */
  override readonly propagatesEventHandlerErrors = true;
  private readonly subscribed: Subscribed[] = [];
  private readonly queues = new KeyedQueue();
  private readonly closing = new AbortController();
  private readonly listening = Promise.withResolvers<void>();
  readonly deadLetters: DeadLetterQueues;
  private takingUp: Promise<void> | undefined;
  private readonly relays: GroupRelays[] = [];

  constructor(private readonly options: EmbeddedBusOptions) {
    super();
    const publish = async (topic: string, { event, position }: Taken): Promise<void> => {
      const why = eventTooLarge(event);
      if (why !== undefined) throw new Error(why);
      await this.publish(topic, [event], position && [position.at]);
    };
    this.deadLetters = new DeadLetterQueues({ ...options, publish, closing: this.closing.signal });
    this.listening.promise.catch(() => undefined); // closed before it listened: rejects for those who wait, if any
  }

  /** Called by Nest for each pattern of each handler. Throws on a second handler of one group and topic: Nest would chain the two. */
  override addHandler(pattern: unknown, handler: MessageHandler, isEventHandler = false, extras: Record<string, unknown> = {}): void {
    const subscriber = subscriberOf(this.subscribed, pattern, handler, isEventHandler);
    super.addHandler(pattern, handler, isEventHandler, extras);
    const delivery = { ...this.options, ...subscriber, system: 'embedded', closing: this.closing.signal };
    const { subscription } = subscriber;
    this.subscribed.push({ subscription, delivery });
    this.deadLetters.addSubscriber(subscription, (taken) => this.queues.add(keyOf(subscription), () => attempt(delivery, [taken])));
  }

  /** Resolves once the app listens: then all groups are known. Rejects after `close`. */
  async listens(): Promise<void> {
    await this.listening.promise;
    if (this.closing.signal.aborted) throw closed();
  }

  /** The subscriptions of all groups; complete once the bus listens. */
  groups(): Subscription[] {
    return this.subscribed.map(({ subscription }) => subscription);
  }

  listen(callback: () => void): void {
    this.listening.resolve();
    this.takingUp ??= takeUpDeadLetters(this.deadLetters);
    callback();
  }

  /** Waits until the app listens: before that not all groups are known. Rejects after `close`. */
  async publish(topic: string, events: PublicEvent[], positions?: readonly bigint[]): Promise<void> {
    await this.listens();
    await this.hand(
      this.subscribed.filter(({ subscription }) => subscription.topic === topic),
      topic,
      withPositions(events, positions),
    );
  }

  relay(source: Source): StoreSubscription {
    const relays = startGroupRelays(source, this);
    this.relays.push(relays);
    return relays;
  }

  async readUntil(group: string): Promise<ReadUntil> {
    const at = this.options.clock.now();
    const head = await this.options.head();
    const read = await Promise.all(
      this.relays.map(async (relays) => ({ relays, handled: await relays.handles(group, head, READ_WITHIN_MS) })),
    );
    const own = read.filter(({ handled }) => handled !== undefined);
    if (own.length === 0 || own.some(({ handled }) => handled === false)) return NOTHING_READ;
    const aside = await Promise.all(own.map(({ relays }) => putAsideIn(this.deadLetters.of(relays.publisher))));
    const known = aside.filter((one) => one !== undefined);
    return known.length < aside.length ? NOTHING_READ : { published: at, stored: at, putAside: earliest(known), empty: false };
  }

  /** Events that the store has now count as earlier, whether they have been published or not. */
  async ends(): Promise<Ends> {
    return { [STORE]: `${(await this.options.head()) + 1n}` };
  }

  /** The same as `publish` to one group. Throws when that group does not subscribe to the topic. */
  async publishTo(group: string, topic: string, events: PublicEvent[], positions?: readonly bigint[]): Promise<void> {
    await this.listens();
    const one = this.subscribed.find(({ subscription }) => subscription.topic === topic && subscription.group === group);
    if (!one) throw new Error(`${group} is not subscribed to ${topic}`);
    await this.hand([one], topic, withPositions(events, positions));
  }

  /** Accepts nothing more, ends retries, and resolves when running handlers are done. */
  async close(): Promise<void> {
    this.closing.abort();
    this.listening.reject(closed());
    await Promise.all([this.takingUp, this.queues.drain()]);
  }

  on(): never {
    throw new Error('the embedded bus emits no events of its own');
  }

  unwrap(): never {
    throw new Error('there is no client below the embedded bus');
  }

  private async hand(to: Subscribed[], topic: string, events: Taken[]): Promise<void> {
    if (events.length === 0) return;
    const taken = await this.deadLetters.taken(topic, events, eventTooLarge);
    const arrivals = taken.map((event) => ({ ...event, origin: `embedded:${topic}` }));
    const work = (delivery: DeliveryOptions) => async (): Promise<void> => {
      if (this.closing.signal.aborted) throw closed();
      await deliver(delivery, arrivals);
    };
    await allDone(to.map(({ subscription, delivery }) => this.queues.add(keyOf(subscription), work(delivery))));
  }
}

const keyOf = ({ group, topic }: Subscription): string => `${group} ${topic}`;

const withPositions = (events: PublicEvent[], positions: readonly bigint[] = []): Taken[] =>
  events.map((event, n) => {
    const at = positions[n];
    return { event, position: at === undefined ? undefined : { part: STORE, at } };
  });

const closed = (): Error => new Error('the bus is closed');
