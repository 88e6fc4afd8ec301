import type { PublicEvent } from '@svc/contracts/events/envelope';
import { publicEvents } from '@svc/contracts/public-events';
import type { Collection } from '@svc/document-store';
import { KeyedQueue, UnknownEvent } from '@svc/kernel';
import type { Taken } from '../position.ts';
import type { Subscriber } from '../subscriber.ts';
import { tenantOf, type DeadLetter, type DeadLetterReason, type DeadLetters } from '../dead-letter.ts';
import { envelopeFault } from '../envelope.ts';
import type { HeldDeadLetter } from './hold.ts';
import { storeDeadLetter, positionOf, type DeadLetterContext } from './store.ts';

/** Repeats what a group or publisher failed to do with a dead letter's event. */
interface DeadLetterOwner {
  /** Throws where it fails again; `UnknownEvent` where this release cannot do it. */
  again(held: HeldDeadLetter): Promise<void>;
  /** False: this release does not know the event and need not try. */
  knows(deadLetter: DeadLetter): boolean;
}

interface DeadLetterQueuesOptions extends DeadLetterContext {
  /** Aborted when the bus closes. */
  closing: AbortSignal;
  /** Publishes an event; throws where the bus permanently rejects it. */
  publish(topic: string, taken: Taken): Promise<void>;
}

/** The dead letters of the groups and publishers of one process. */
export class DeadLetterQueues {
  private readonly owners = new Map<string, DeadLetterOwner>();
  /** Where several of this process change one dead letter. */
  readonly turns = new KeyedQueue();

  constructor(readonly options: DeadLetterQueuesOptions) {}

  /** A publisher is called `<source of its events>.publishing`. */
  add(group: string, owner: DeadLetterOwner): void {
    this.owners.set(group, owner);
  }

  /** One of a group's handlers. `attempt` hands it one event, once. */
  addSubscriber({ group, topic }: Subscriber['subscription'], attempt: (taken: Taken) => Promise<void>): void {
    const before = this.owners.get(group);
    const again = async (held: HeldDeadLetter): Promise<void> => {
      const { deadLetter } = held;
      if (deadLetter.topic !== topic && before) return before.again(held);
      if (deadLetter.topic !== topic) throw new Error(`${group} is not subscribed to ${deadLetter.topic}`);
      const fault = envelopeFault(deadLetter.event);
      if (fault !== undefined) throw new Error(`broken envelope: ${fault}`);
      const event = deadLetter.event as PublicEvent;
      if (!isKnown(event.type)) throw new UnknownEvent({ stream: event.subject, type: event.type, metadata: { v: versionOf(event.type) } });
      await attempt({ event, position: positionOf(deadLetter) });
    };
    this.add(group, { again, knows: ({ event_type }) => isKnown(event_type) });
  }

  /** Sorted by name. */
  groups(): string[] {
    return [...this.owners.keys()].sort();
  }

  of(group: string): Collection<DeadLetter> {
    return this.options.deadLetters(group);
  }

  /** The `time` of the oldest event of a tenant that is a dead letter of the group; undefined: there is none. */
  async oldestOf(group: string, tenant: { env: string; account: string }): Promise<string | undefined> {
    const own = this.of(group).find({ tenant: tenantOf(tenant) }, { sort: { event_time: 1, _id: 1 }, limit: 1 });
    const [oldest] = await Array.fromAsync(own);
    return oldest && (oldest.event_time ?? '');
  }

  knows(deadLetter: DeadLetter): boolean {
    return this.owners.get(deadLetter.group)?.knows(deadLetter) ?? false;
  }

  async again(held: HeldDeadLetter): Promise<void> {
    const { deadLetter } = held;
    if (deadLetter.reason === 'refused')
      await this.options.publish(deadLetter.topic, { event: deadLetter.event as PublicEvent, position: positionOf(deadLetter) });
    else await this.owners.get(deadLetter.group)?.again(held);
  }

  /** Stores the events that the bus does not accept and returns the others. Deletes dead letters about customers whose erasure is among them. */
  async taken(topic: string, all: Taken[], faultOf: (event: PublicEvent) => string | undefined): Promise<Taken[]> {
    const taken: Taken[] = [];
    for (const one of all) {
      const fault = faultOf(one.event);
      if (fault === undefined) taken.push(one);
      else await this.refused(topic, one, fault);
    }
    await this.erase(all.map(({ event }) => event));
    return taken;
  }

  /** Deletes what publishers' dead letters hold of customers whose erasure is among these events. */
  async erase(events: PublicEvent[]): Promise<void> {
    for (const group of new Set(events.map(publisherOf))) await eraseDeadLetters(this.options.deadLetters, group, events);
  }

  /** Stores an event that the bus does not accept for its publisher. */
  refused(topic: string, taken: Taken, why: string): Promise<void> {
    const reason: DeadLetterReason = 'refused';
    const origin = `publishing:${topic}`;
    return storeDeadLetter(this.options, { group: publisherOf(taken.event), topic, ...taken, origin, reason, failure: why });
  }
}

const isKnown = (type: string | null): boolean => type !== null && publicEvents.has(type);
const versionOf = (type: string): number => Number(type.slice(type.lastIndexOf('.v') + 2));

/** The group name of a publisher's dead letters. */
export const publisherOf = ({ source }: Pick<PublicEvent, 'source'>): string => `${source}.publishing`;

const ERASED = /^invoicing\.customer-erased\.v\d+$/;

/** Deletes the dead letters of a group with data of customers whose erasure is among these events; those of the erasures themselves may stay. */
export async function eraseDeadLetters(deadLetters: DeadLetters, group: string, events: PublicEvent[]): Promise<void> {
  for (const { subject } of events.filter(({ type }) => ERASED.test(type))) {
    const ofGroup = deadLetters(group);
    for await (const { _id, event_type } of ofGroup.find({ subject }))
      if (!ERASED.test(event_type ?? '')) await ofGroup.write([{ delete: _id }]);
  }
}
