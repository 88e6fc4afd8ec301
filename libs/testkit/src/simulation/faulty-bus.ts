import type { PublicEvent, Topic } from '@svc/contracts/events/envelope';
import { EmbeddedBus, type EmbeddedBusOptions } from '@svc/event-bus';
import { isInjected, type FaultInjection } from './fault-injection.ts';
import { never } from './lifetime.ts';

/** Probabilities of faults of a batch, each from 0 to 1. */
export interface BusFaults {
  delay: number;
  /** Delivered in two parts. */
  split: number;
  /** Delivered twice in a row. */
  repeat: number;
  /** Delivered again later, after other batches. */
  later: number;
}

const LONGEST_MS = 400;
const LATER_MS = 5_000;

/** Delivers the events of a batch from one index up to another. */
type Hand = (from: number, to?: number) => Promise<void>;

/** A bus with every fault that its contract allows: slow and repeating, but in order for each subject. */
export class FaultyBus extends EmbeddedBus {
  constructor(
    options: EmbeddedBusOptions,
    private readonly faults: BusFaults,
    private readonly injection: FaultInjection,
  ) {
    super(options);
    injection.lifetime.atEnd(() => void this.close());
  }

  override async publish(topic: Topic, events: PublicEvent[], positions?: readonly bigint[]): Promise<void> {
    await this.withFaults(topic, events, (from, to) => super.publish(topic, events.slice(from, to), positions?.slice(from, to)));
  }

  override async publishTo(group: string, topic: Topic, events: PublicEvent[], positions?: readonly bigint[]): Promise<void> {
    const hand: Hand = (from, to) => super.publishTo(group, topic, events.slice(from, to), positions?.slice(from, to));
    await this.withFaults(`${topic} to ${group}`, events, hand);
  }

  private async withFaults(what: string, events: PublicEvent[], hand: Hand): Promise<void> {
    if (events.length === 0) return hand(0);
    const { lifetime, random, journal, crashesAt } = this.injection;
    if (isInjected(this.injection, this.faults.delay)) await lifetime.clock.sleep(random.between(1, LONGEST_MS));
    if (crashesAt('batch not handed over')) return never();
    const half = isInjected(this.injection, this.faults.split) ? random.between(1, events.length) : events.length;
    await lifetime.through(hand(0, half));
    await lifetime.through(hand(half));
    journal.note('bus', `${what} ${events.map(({ type, subject }) => `${type.split('.')[1]} ${subject}`).join(', ')}`);
    if (isInjected(this.injection, this.faults.repeat)) await lifetime.through(hand(0));
    if (isInjected(this.injection, this.faults.later)) {
      lifetime.clock.after(random.between(1, LATER_MS), () => void hand(0).catch(() => undefined));
    }
    if (crashesAt('batch handled')) return never();
  }
}
