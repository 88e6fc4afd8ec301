import type { Entry } from './event-index.ts';

export interface LiveEvent {
  entry: Entry;
  message: Buffer;
}
/** Receives the events of one append; returns how many wait for the network. */
export type Subscriber = (events: LiveEvent[]) => number;

/** Waiting events from which the network is given a turn before the next append is sent. */
const BEHIND = 16;
/** Turns for which a subscriber that reads nothing may delay the others. */
const TURNS = 4;

/** Sends appends to subscribers, one after another, in the order of $all. */
export class LiveFeed {
  private readonly subscribers = new Set<Subscriber>();
  private readonly queue: LiveEvent[][] = [];
  private running = false;

  /** Returns the function that unsubscribes. */
  subscribe(subscriber: Subscriber): () => void {
    this.subscribers.add(subscriber);
    return () => void this.subscribers.delete(subscriber);
  }

  publish(events: LiveEvent[]): void {
    if (this.subscribers.size === 0) return;
    this.queue.push(events);
    if (this.running) return;
    this.running = true;
    setImmediate(() => void this.run());
  }

  /** Sends appends that reach the disk together one by one, as EventStoreDB sends while it writes. */
  private async run(): Promise<void> {
    for (let events = this.queue.shift(); events !== undefined; events = this.queue.shift()) {
      let behind = 0;
      for (const subscriber of this.subscribers) behind = Math.max(behind, subscriber(events));
      for (let turn = 0; turn < TURNS && behind > BEHIND; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    }
    this.running = false;
  }
}
