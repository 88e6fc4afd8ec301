import type { Entry } from './event-index.ts';

export interface LiveEvent {
  entry: Entry;
  message: Buffer;
}
/** Takes the events of one append; answers how many wait for the network. */
export type Subscriber = (events: LiveEvent[]) => number;

/** Enough waits for the network that it is given a turn before the next append is handed on. */
const BEHIND = 16;
/** Turns a subscriber that takes nothing can hold up the others for. */
const TURNS = 4;

/** Hands appends on to subscribers, one after another, in the order of $all. */
export class LiveFeed {
  private readonly subscribers = new Set<Subscriber>();
  private readonly queue: LiveEvent[][] = [];
  private running = false;

  /** Answers what ends it. */
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

  /** Appends that reach the disk together are handed on one by one: the original sends while it writes. */
  private async run(): Promise<void> {
    for (let events = this.queue.shift(); events !== undefined; events = this.queue.shift()) {
      let behind = 0;
      for (const subscriber of this.subscribers) behind = Math.max(behind, subscriber(events));
      for (let turn = 0; turn < TURNS && behind > BEHIND; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    }
    this.running = false;
  }
}
