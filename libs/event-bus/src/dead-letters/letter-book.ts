import type { PublicEvent } from '@svc/contracts/events/envelope';
import { publicEvents } from '@svc/contracts/public-events';
import type { Collection } from '@svc/document-store';
import { KeyedQueue, UnknownEvent } from '@svc/kernel';
import type { Taken } from '../position.ts';
import type { Subscriber } from '../subscriber.ts';
import type { DeadLetter, DeadLetterReason } from '../dead-letter.ts';
import { eraseLetters } from './erase-letters.ts';
import { envelopeFault } from '../envelope.ts';
import type { HeldLetter } from './hold-letter.ts';
import { keepLetter, positionOf, type KeepingLetters } from './keep-letter.ts';

/** Repeats what a group or publisher failed to do with a letter's event. */
export interface LetterOwner {
  /** Throws where it fails again; `UnknownEvent` where this release cannot do it. */
  again(held: HeldLetter): Promise<void>;
  /** False: this release does not know the event and need not try. */
  knows(letter: DeadLetter): boolean;
}

export interface LetterBookOptions extends KeepingLetters {
  /** Aborted when the bus closes. */
  closing: AbortSignal;
  /** Publishes an event; throws where the bus permanently rejects it. */
  publish(topic: string, taken: Taken): Promise<void>;
}

/** The dead letters of the groups and publishers of one process. */
export class LetterBook {
  private readonly owners = new Map<string, LetterOwner>();
  /** Where several of this process change one letter. */
  readonly turns = new KeyedQueue();

  constructor(readonly options: LetterBookOptions) {}

  /** A publisher is called `<source of its events>.publishing`. */
  add(group: string, owner: LetterOwner): void {
    this.owners.set(group, owner);
  }

  /** One of a group's handlers. `attempt` hands it one event, once. */
  addSubscriber({ group, topic }: Subscriber['subscription'], attempt: (taken: Taken) => Promise<void>): void {
    const before = this.owners.get(group);
    const again = async (held: HeldLetter): Promise<void> => {
      const { letter } = held;
      if (letter.topic !== topic && before) return before.again(held);
      if (letter.topic !== topic) throw new Error(`${group} is not subscribed to ${letter.topic}`);
      const fault = envelopeFault(letter.event);
      if (fault !== undefined) throw new Error(`broken envelope: ${fault}`);
      const event = letter.event as PublicEvent;
      if (!isKnown(event.type)) throw new UnknownEvent({ stream: event.subject, type: event.type, metadata: { v: versionOf(event.type) } });
      await attempt({ event, position: positionOf(letter) });
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

  knows(letter: DeadLetter): boolean {
    return this.owners.get(letter.group)?.knows(letter) ?? false;
  }

  async again(held: HeldLetter): Promise<void> {
    const { letter } = held;
    if (letter.reason === 'refused')
      await this.options.publish(letter.topic, { event: letter.event as PublicEvent, position: positionOf(letter) });
    else await this.owners.get(letter.group)?.again(held);
  }

  /** Stores the events that the bus does not accept and returns the others. Deletes letters about customers whose erasure is among them. */
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

  /** Deletes what publishers' letters hold of customers whose erasure is among these events. */
  async erase(events: PublicEvent[]): Promise<void> {
    for (const group of new Set(events.map(publisherOf))) await eraseLetters(this.options.deadLetters, group, events);
  }

  /** Stores an event that the bus does not accept for its publisher. */
  refused(topic: string, taken: Taken, why: string): Promise<void> {
    const reason: DeadLetterReason = 'refused';
    const origin = `publishing:${topic}`;
    return keepLetter(this.options, { group: publisherOf(taken.event), topic, ...taken, origin, reason, failure: why });
  }
}

const isKnown = (type: string | null): boolean => type !== null && publicEvents.has(type);
const versionOf = (type: string): number => Number(type.slice(type.lastIndexOf('.v') + 2));

/** The group name of a publisher's dead letters. */
const publisherOf = ({ source }: Pick<PublicEvent, 'source'>): string => `${source}.publishing`;
