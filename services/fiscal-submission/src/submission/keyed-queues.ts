import { mayTake } from '@svc/kernel';
import type { Row } from './row.ts';

/** Permission for one of the few concurrent calls of a queue. Work on a row starts with one. */
export interface Permit {
  /** Waits for a permit after `release`. */
  acquire(): Promise<void>;
  /** Ends the call: the next may begin while this one's outcome is stored. */
  release(): void;
}

export interface KeyedQueuesOptions {
  /** Permits of the row's queue. */
  atOnce: (row: Row) => number;
  /** Whether a row is of a document that was just issued. */
  isFresh: (row: Row) => boolean;
  /** Works on one row; never throws. */
  work: (row: Row, permit: Permit) => Promise<void>;
  /** Makes a row due again after this many milliseconds. */
  putOff: (row: Row, ms: number) => void;
}

interface Queue {
  /** Permits that are free. */
  free: number;
  /** Rows in work, with or without a permit. */
  begun: number;
  /** Documents that were just issued. They go first: behind a backlog each of them would become late. */
  fresh: Row[];
  waiting: Row[];
  /** Rows that were begun. */
  turns: number;
  /** Rows in work that wait for a permit again; they come first. */
  back: (() => void)[];
  /** Backpressure: rows postponed since the queue was last empty. Later ones are postponed for longer. */
  overflow: number;
}

const MOST_WAITING = 1_000;
/** The last eighth is reserved for queues in which nothing waits. */
const MOST_IN_HAND = 20_000;
/** One turn of so many is the backlog's while fresh rows wait: it has a legal end, too. */
const BACKLOG_TURN = 8;
const PUT_OFF_MS = 1_000;
/** Assumed throughput of a queue, in rows per second. */
const RATE = 500;

/**
 * Runs at most so many calls per key (the stored `lane`), so that unanswered calls of one account delay neither other accounts nor all of its
 * own documents; fresh ones go first. A row is in work once at a time; one that is added again meanwhile runs afterwards.
 */
export class KeyedQueues {
  private readonly queues = new Map<string, Queue>();
  private readonly waiting = new Map<string, Row>();
  private readonly running = new Map<string, Promise<void>>();
  private readonly again = new Map<string, Row>();

  constructor(private readonly options: KeyedQueuesOptions) {}

  take(rows: readonly Row[]): void {
    for (const row of rows) this.add(row);
  }

  /** Resolves when nothing is under way. */
  async drain(): Promise<void> {
    while (this.running.size > 0) await Promise.all(this.running.values());
  }

  private add(row: Row): void {
    const { _id, lane: name } = row;
    if (this.running.has(_id)) {
      this.again.set(_id, row);
      return;
    }
    if (this.waiting.has(_id)) {
      this.waiting.set(_id, row);
      return;
    }
    const queue = this.queues.get(name) ?? {
      free: this.options.atOnce(row),
      begun: 0,
      fresh: [],
      waiting: [],
      turns: 0,
      back: [],
      overflow: 0,
    };
    this.queues.set(name, queue);
    const of = this.options.isFresh(row) ? queue.fresh : queue.waiting;
    const own = queue.fresh.length + queue.waiting.length;
    if (of.length >= MOST_WAITING || !mayTake(own, this.waiting.size - own, MOST_IN_HAND)) {
      queue.overflow += 1;
      this.options.putOff(row, PUT_OFF_MS + (queue.overflow / RATE) * 1_000);
      return;
    }
    this.waiting.set(_id, row);
    of.push(row);
    this.pump(name, queue);
  }

  private pump(name: string, queue: Queue): void {
    while (queue.free > 0) {
      const back = queue.back.shift();
      const first = back ? undefined : nextOf(queue);
      if (!back && !first) break;
      queue.free -= 1;
      if (back) back();
      else if (first) this.begin(name, queue, this.waiting.get(first._id) ?? first);
    }
    if (queue.fresh.length + queue.waiting.length > 0) return;
    queue.overflow = 0;
    if (queue.begun === 0) this.queues.delete(name);
  }

  private begin(name: string, queue: Queue, row: Row): void {
    const { _id } = row;
    this.waiting.delete(_id);
    queue.begun += 1;
    const permit = this.permitIn(name, queue);
    const over = this.options.work(row, permit).then(() => {
      queue.begun -= 1;
      this.running.delete(_id);
      const again = this.again.get(_id);
      this.again.delete(_id);
      if (again) this.add(again);
      permit.release();
      this.pump(name, queue);
    });
    this.running.set(_id, over);
  }

  private permitIn(name: string, queue: Queue): Permit {
    let held = true;
    return {
      acquire: async () => {
        if (held) return;
        held = true;
        await new Promise<void>((resolve) => {
          queue.back.push(resolve);
          this.pump(name, queue);
        });
      },
      release: () => {
        if (!held) return;
        held = false;
        queue.free += 1;
        this.pump(name, queue);
      },
    };
  }
}

function nextOf(queue: Queue): Row | undefined {
  const { fresh, waiting, turns } = queue;
  const isBacklogs = waiting.length > 0 && (fresh.length === 0 || turns % BACKLOG_TURN === BACKLOG_TURN - 1);
  const next = (isBacklogs ? waiting : fresh).shift();
  if (next) queue.turns += 1;
  return next;
}
