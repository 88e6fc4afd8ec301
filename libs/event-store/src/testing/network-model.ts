import { Conflict, OutcomeUnknown, type Appended, type Clock, type NewEvent, type Recorded, type Streams } from '@svc/kernel';

/** One possible next step. */
interface Task {
  /** Not before this many tasks have been done. */
  at: number;
  /** Dropped with this process; undefined: in flight, or in the store. */
  process?: number;
  run: () => void;
}

const MS_PER_TICK = 100;

/**
 * EventStoreDB behind a network, for several processes: messages in flight arrive in an order that `random` decides. Requests and
 * replies are lost, requests arrive after their caller has timed out or died, reads are stale. An append is decided as the server
 * does: at the exact revision; a repeat is recognized by its ids at the revisions right after it, and nowhere else.
 */
export class NetworkModel {
  /** Faults happen while this is true. */
  isFaulty = true;
  private readonly streams = new Map<string, Recorded[]>();
  private tasks: Task[] = [];
  private ticks = 0;
  private position = 0n;

  constructor(private readonly random: () => number) {}

  /** Runs tasks until none is left, or until `stop` returns true. */
  async run(stop: () => boolean = () => false): Promise<void> {
    for (let n = 0; n < 50_000; n += 1) {
      await new Promise((resolve) => setImmediate(resolve));
      if (this.tasks.length === 0 || stop()) return;
      const ready = this.tasks.filter(({ at }) => at <= this.ticks);
      const task = ready[Math.floor(this.random() * ready.length)];
      this.ticks += 1;
      if (!task) continue;
      this.tasks = this.tasks.filter((other) => other !== task);
      task.run();
    }
    throw new Error('no end');
  }

  /** Drops what the process waits for; what it has sent continues. */
  kill(process: number): void {
    this.tasks = this.tasks.filter((task) => task.process !== process);
  }

  stored(stream: string): Recorded[] {
    return this.streams.get(stream) ?? [];
  }

  /** The clock of the machine that `process` runs on. */
  clock(process: number): Clock {
    const after: Clock['after'] = (ms, fire) => this.later(Math.ceil(ms / MS_PER_TICK), fire, process);
    return { now: () => this.ticks * MS_PER_TICK, after, sleep: (ms) => new Promise((resolve) => after(ms, resolve)) };
  }

  /** The connection of `process`. Resolves an unknown outcome as an adapter does: sends the same again, at the same revision. */
  connect(process: number): Streams {
    const asked = (find: (seen: Recorded[]) => Recorded[], stream: string): Promise<Recorded[]> =>
      new Promise((resolve) =>
        this.later(0, () => {
          const found = find(this.seenNow(stream));
          this.later(0, () => resolve(found), process);
        }),
      );
    return {
      read: (stream, from = 0n, max = Infinity) => asked((seen) => seen.slice(Number(from), Number(from) + max), stream),
      tail: (stream, max) => asked((seen) => seen.slice(-max), stream),
      known: () => undefined,
      append: async (stream, expected, events) => {
        for (let tries = 0; tries < 2; tries += 1) {
          const outcome = await this.send(process, stream, expected, events);
          if (outcome instanceof Conflict) throw outcome;
          if (outcome) return outcome;
        }
        throw new OutcomeUnknown('no reply in time');
      },
    };
  }

  private send(process: number, stream: string, expected: bigint | 'none', events: NewEvent[]): Promise<Appended | Conflict | undefined> {
    const chance = this.isFaulty ? this.random() : 1;
    return new Promise((resolve) => {
      const arrive = (): void => {
        const outcome = this.decide(stream, expected, events);
        if (chance >= 0.45) this.later(0, () => resolve(outcome), process);
      };
      if (chance >= 0.15) this.later(chance < 0.3 ? Math.ceil(this.random() * 60) : 0, arrive);
      if (chance < 0.45) this.later(3, () => resolve(undefined), process);
    });
  }

  private decide(stream: string, expected: bigint | 'none', events: NewEvent[]): Appended | Conflict {
    const stored = this.stored(stream);
    const next = expected === 'none' ? 0 : Number(expected) + 1;
    if (stored.length !== next) {
      const isRepeat = events.every(({ id }, n) => stored[next + n]?.id === id);
      return isRepeat
        ? { revision: BigInt(next + events.length - 1), bytes: 0 }
        : new Conflict(stream, expected, stored.at(-1)?.revision ?? 'none');
    }
    const recorded = events.map((event, n) => ({
      ...event,
      stream,
      revision: BigInt(next + n),
      recordedAt: 0,
      bytes: 0,
      position: (this.position += 1n),
    }));
    this.streams.set(stream, [...stored, ...recorded]);
    return { revision: BigInt(next + events.length - 1), bytes: 0 };
  }

  /** A read may miss the store's latest events. */
  private seenNow(stream: string): Recorded[] {
    const behind = this.isFaulty && this.random() < 0.2 ? BigInt(Math.ceil(this.random() * 3)) : 0n;
    return this.stored(stream).filter(({ position }) => position <= this.position - behind);
  }

  private later(ticks: number, run: () => void, process?: number): () => void {
    const task: Task = { at: this.ticks + ticks, run, ...(process === undefined ? {} : { process }) };
    this.tasks.push(task);
    return () => {
      this.tasks = this.tasks.filter((other) => other !== task);
    };
  }
}
