import { Server, type CustomTransportStrategy, type MessageHandler } from '@nestjs/microservices';
import type { PublicEvent } from '@svc/contracts/events/envelope';
import { allDone, KeyedQueue } from '@svc/kernel';
import type { Subscription } from './consumes.ts';
import { LetterBook } from './dead-letters/letter-book.ts';
import { takeUpLetters } from './dead-letters/start-taking-up.ts';
import { attempt, deliver, type BusOptions, type DeliveryOptions } from './delivery.ts';
import type { EventBus } from './port.ts';
import type { Ends, Taken } from './position.ts';
import { eventTooLarge } from './size.ts';
import { subscriberOf } from './subscriber.ts';

export interface EmbeddedBusOptions extends BusOptions {
  /** The position of the newest event of the store that is published from. */
  head(): Promise<bigint>;
}

/** The store counts the events of all topics. */
const STORE = 'store';

/** One group on one topic: its batches are handled one after the other, in the order in which they were published. */
interface Subscribed {
  subscription: Subscription;
  delivery: DeliveryOptions;
}

/**
 * The bus of one process: `app.connectMicroservice({ strategy: bus })`. It stores nothing. `publish` hands the events to every group
 * and resolves when all of them are through, so the publisher's checkpoint is what a restart repeats from. Batches that wait are
 * their publishers' own, each of which waits for its one.
 */
export class EmbeddedBus extends Server implements CustomTransportStrategy, EventBus {
  /** Failures are the bus's to report, after the retries; Nest need not log them as well. */
  override readonly propagatesEventHandlerErrors = true;
  private readonly subscribed: Subscribed[] = [];
  private readonly queues = new KeyedQueue();
  private readonly closing = new AbortController();
  private readonly listening = Promise.withResolvers<void>();
  readonly letters: LetterBook;
  private takingUp: Promise<void> | undefined;

  constructor(private readonly options: EmbeddedBusOptions) {
    super();
    const publish = async (topic: string, { event, position }: Taken): Promise<void> => {
      const why = eventTooLarge(event);
      if (why !== undefined) throw new Error(why);
      await this.publish(topic, [event], position && [position.at]);
    };
    this.letters = new LetterBook({ ...options, publish, closing: this.closing.signal });
    this.listening.promise.catch(() => undefined); // closed before it ever listened: told to those who wait, if any
  }

  /** Called by Nest for each pattern of each handler. Throws on a second handler of one group and topic: Nest would chain the two. */
  override addHandler(pattern: unknown, handler: MessageHandler, isEventHandler = false, extras: Record<string, unknown> = {}): void {
    const subscriber = subscriberOf(this.subscribed, pattern, handler, isEventHandler);
    super.addHandler(pattern, handler, isEventHandler, extras);
    const delivery = { ...this.options, ...subscriber, system: 'embedded', closing: this.closing.signal };
    const { subscription } = subscriber;
    this.subscribed.push({ subscription, delivery });
    this.letters.addSubscriber(subscription, (taken) => this.queues.add(keyOf(subscription), () => attempt(delivery, [taken])));
  }

  /** Resolves once the app listens: all groups are known then. Rejects after `close`. */
  async listens(): Promise<void> {
    await this.listening.promise;
    if (this.closing.signal.aborted) throw closed();
  }

  /** Which groups are subscribed to which topics; complete once the bus listens. */
  groups(): Subscription[] {
    return this.subscribed.map(({ subscription }) => subscription);
  }

  listen(callback: () => void): void {
    this.listening.resolve();
    this.takingUp ??= takeUpLetters(this.letters);
    callback();
  }

  /** Waits for the app to listen: before that nobody knows all groups. Rejects after `close`. */
  async publish(topic: string, events: PublicEvent[], positions?: readonly bigint[]): Promise<void> {
    await this.listens();
    await this.hand(
      this.subscribed.filter(({ subscription }) => subscription.topic === topic),
      topic,
      withPositions(events, positions),
    );
  }

  /** What the store has now was there before, whether it has been published yet or not. */
  async ends(): Promise<Ends> {
    return { [STORE]: `${(await this.options.head()) + 1n}` };
  }

  /**
   * Publishes to one group alone, to bring a new or rebuilt one up to date, or so that others need not wait for it: `retries` is called when
   * it failed and is about to be tried again. Throws when that group does not have the topic.
   */
  async publishTo(group: string, topic: string, events: PublicEvent[], positions?: readonly bigint[], retries?: () => void): Promise<void> {
    await this.listens();
    const one = this.subscribed.find(({ subscription }) => subscription.topic === topic && subscription.group === group);
    if (!one) throw new Error(`${group} is not subscribed to ${topic}`);
    await this.hand([one], topic, withPositions(events, positions), retries);
  }

  /** Takes nothing more, gives up retries, and resolves when the handlers at work are through. */
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

  private async hand(to: Subscribed[], topic: string, events: Taken[], retries?: () => void): Promise<void> {
    if (events.length === 0) return;
    const taken = await this.letters.taken(topic, events, eventTooLarge);
    const arrivals = taken.map((event) => ({ ...event, origin: `embedded:${topic}` }));
    const work = (delivery: DeliveryOptions) => async (): Promise<void> => {
      if (this.closing.signal.aborted) throw closed();
      await deliver({ ...delivery, ...(retries && { retries }) }, arrivals);
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
