import { randomUUID } from 'node:crypto';
import { iso, type Clock } from '@svc/kernel';
import type { Entry } from '../log/event-index.ts';
import { EXPECT } from '../log/verdict.ts';
import type { EventLog } from '../log/event-log.ts';
import { LINK, linked } from '../reading/link.ts';
import { persistentEvent, resolvedLink } from '../reading/messages.ts';
import { visible } from '../reading/visible.ts';
import type { GroupConfig } from './config.ts';
import { GroupProgress } from './progress.ts';

/** A client that takes part: how many events it may have unanswered, and how to reach it. */
export interface Consumer {
  slots: number;
  send(message: Buffer): void;
  drop(): void;
}

/** An event to be delivered; with the link that led to it, if one did. */
interface Item {
  entry: Entry;
  link: Entry | undefined;
  retries: number;
}
interface InFlight {
  item: Item;
  consumer: Consumer;
  cancelTimeout: () => void;
}

export type NackAction = 'park' | 'retry' | 'skip';

/** A persistent subscription: events are handed out in turn, each to one consumer, until one acknowledges it or it is parked. */
export class Group {
  private readonly consumers: Consumer[] = [];
  private readonly again: Item[] = [];
  private readonly inFlight = new Map<string, InFlight>();
  private readonly progress: GroupProgress;
  private readonly stopListening: () => void;
  private delivered = 0;

  constructor(
    private readonly log: EventLog,
    private readonly clock: Clock,
    readonly config: GroupConfig,
  ) {
    this.progress = new GroupProgress(log, clock, config);
    this.stopListening = log.live.subscribe(() => {
      this.pump();
      return 0;
    });
  }

  join(consumer: Consumer): void {
    this.consumers.push(consumer);
    this.pump();
  }

  /** What a consumer that is gone left unanswered is delivered again at once. */
  leave(consumer: Consumer): void {
    const at = this.consumers.indexOf(consumer);
    if (at < 0) return;
    this.consumers.splice(at, 1);
    for (const [id, flight] of this.inFlight) if (flight.consumer === consumer) this.retry(id);
    this.pump();
  }

  ack(ids: string[]): void {
    for (const id of ids) this.settle(id);
    this.pump();
  }

  nack(ids: string[], action: NackAction, reason: string): void {
    for (const id of ids) {
      if (action === 'retry') this.retry(id);
      else if (action === 'skip') this.settle(id);
      else this.park(this.settle(id), `Client explicitly NAK'ed message.\n${reason}`);
    }
    this.pump();
  }

  /** Delivers all parked events again. */
  replayParked(): void {
    const parked = visible(this.log, this.config.parked);
    if (parked === undefined) return;
    for (const link of parked.stream.events.slice(parked.first, parked.end)) {
      const entry = linked(this.log, link);
      if (entry !== undefined) this.again.push({ entry, link, retries: 0 });
    }
    const truncated = Buffer.from(JSON.stringify({ $tb: parked.end }));
    this.log.append(`$$${this.config.parked}`, EXPECT.any, [own('$metadata', truncated)], () => this.pump());
  }

  info(): { live: boolean; delivered: number; inFlight: number; again: number; parked: number; known: Entry | undefined } {
    const parked = visible(this.log, this.config.parked);
    return {
      live: this.progress.next() === undefined,
      delivered: this.delivered,
      inFlight: this.inFlight.size,
      again: this.again.length,
      parked: parked === undefined ? 0 : parked.end - parked.first,
      known: this.progress.lastKnown,
    };
  }

  /** Ends the group; its consumers are told that it was dropped. */
  drop(): void {
    this.stop();
    for (const consumer of this.consumers.splice(0)) consumer.drop();
  }

  stop(): void {
    this.stopListening();
    this.progress.stop();
    for (const { cancelTimeout } of this.inFlight.values()) cancelTimeout();
    this.inFlight.clear();
  }

  /** Hands out as much as there are consumers with room for. */
  private pump(): void {
    for (let consumer = this.free(); consumer !== undefined; consumer = this.free()) {
      const item = this.again.shift() ?? this.nextItem();
      if (item === undefined) return;
      const event = this.log.event(item.entry);
      const link = item.link && this.log.event(item.link);
      const id = link?.id ?? event.id;
      const cancelTimeout = this.clock.after(this.config.messageTimeoutMs, () => {
        this.retry(id);
        this.pump();
      });
      consumer.slots -= 1;
      this.inFlight.set(id, { item, consumer, cancelTimeout });
      this.delivered += 1;
      consumer.send(link === undefined ? persistentEvent(event, item.retries) : resolvedLink(event, link, item.retries));
    }
  }

  /** Round robin: who got one goes to the back. */
  private free(): Consumer | undefined {
    const at = this.consumers.findIndex(({ slots }) => slots > 0);
    const [consumer] = at < 0 ? [] : this.consumers.splice(at, 1);
    if (consumer !== undefined) this.consumers.push(consumer);
    return consumer;
  }

  private nextItem(): Item | undefined {
    for (let entry = this.progress.take(); entry !== undefined; entry = this.progress.take()) {
      if (!this.config.resolveLinks || entry.type !== LINK) return { entry, link: undefined, retries: 0 };
      const target = linked(this.log, entry);
      if (target !== undefined) return { entry: target, link: entry, retries: 0 };
    }
    return undefined;
  }

  private settle(id: string): Item | undefined {
    const flight = this.inFlight.get(id);
    if (flight === undefined) return undefined;
    this.inFlight.delete(id);
    flight.cancelTimeout();
    flight.consumer.slots += 1;
    this.progress.done(
      [...this.inFlight.values()].map(({ item }) => item.entry.ordinal).concat(this.again.map(({ entry }) => entry.ordinal)),
    );
    return flight.item;
  }

  private retry(id: string): void {
    const item = this.settle(id);
    if (item === undefined) return;
    if (item.retries >= this.config.maxRetryCount) return this.park(item, `Reached retry count of ${this.config.maxRetryCount}`);
    this.again.push({ ...item, retries: item.retries + 1 });
  }

  private park(item: Item | undefined, reason: string): void {
    if (item === undefined) return;
    const { revision, stream } = item.entry;
    const metadata = { added: iso(this.clock.now()), reason, subscriptionEventNumber: revision };
    const link = { ...own(LINK, Buffer.from(`${revision}@${stream.name}`)), json: false, metadata: Buffer.from(JSON.stringify(metadata)) };
    this.log.append(this.config.parked, EXPECT.any, [link], () => undefined);
  }
}

const own = (type: string, data: Buffer) => ({ id: randomUUID(), type, json: true, metadata: Buffer.alloc(0), data });
