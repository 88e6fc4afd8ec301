import { retry, type Clock, type Position, type Recorded } from '@svc/kernel';
import { Wake } from '../embedded/recent-events.ts';
import { memoryOf, sizeOfBatch } from '../event-bytes.ts';
import type { Batch, HandleBatch } from '../port.ts';

/** What may wait for a slow handler; beyond it the sender has to wait. */
const CAPACITY = { events: 2_000, bytes: 16 * 1024 * 1024 };
/** Positions without own events are handed over at most this often. */
const PASSING_MS = 10;

export interface InboxOptions {
  from: Position;
  handle: HandleBatch;
  clock: Clock;
  stopped: AbortSignal;
}

/** What a store has sent and the handler has not yet taken: hands over all of it, at most a batch at a time, and repeats a batch that fails. */
export function createInbox({ from, handle, clock, stopped }: InboxOptions) {
  const held: Recorded[] = [];
  const news = new Wake();
  const taken = new Wake();
  let bytes = 0;
  let position = from;
  let live = false;

  function nextBatch(): Batch {
    const events = held.splice(0, sizeOfBatch(held));
    for (const event of events) bytes -= memoryOf(event);
    taken.all();
    const last = held.length > 0 ? events.at(-1) : undefined;
    return last ? { events, position: last.position, caughtUp: false } : { events, position, caughtUp: live };
  }

  /** Ms until the next batch is due; undefined while there is nothing new. */
  function dueIn(last: Batch | undefined, at: number): number | undefined {
    if (held.length > 0 || (live && !last?.caughtUp)) return 0;
    return (last?.position ?? from) === position ? undefined : Math.max(0, at + PASSING_MS - clock.now());
  }

  async function newsWithin(ms: number | undefined): Promise<void> {
    const woken = new AbortController();
    await Promise.race([news.wait(stopped), ...(ms === undefined ? [] : [clock.sleep(ms, woken.signal)])]);
    woken.abort();
  }

  async function deliver(): Promise<void> {
    for (let [last, at]: [Batch | undefined, number] = [undefined, 0]; !stopped.aborted;) {
      const due = dueIn(last, at);
      if (due === 0) {
        const batch = (last = nextBatch());
        at = clock.now();
        await retry(() => handle(batch), clock, stopped);
      } else await newsWithin(due);
    }
  }

  return {
    /** Everything up to here has arrived. */
    position: () => position,
    /** Everything older has arrived. */
    isLive: () => live,
    isFull: () => held.length >= CAPACITY.events || bytes >= CAPACITY.bytes,

    /** Resolves when there is capacity, or the signal aborts. */
    async untilFree(signal: AbortSignal): Promise<void> {
      while (this.isFull() && !signal.aborted) await taken.wait(signal);
    },

    put(event: Recorded): void {
      held.push(event);
      bytes += memoryOf(event);
    },

    /** Moves the position after the last event, over events of other systems. */
    advance(to: Position): void {
      position = to;
      news.all();
    },

    setLive(isLive: boolean): void {
      live = isLive;
      news.all();
    },

    /** Resolves after the stop, when the batch in hand is handled. */
    done: deliver(),
  };
}

export type Inbox = ReturnType<typeof createInbox>;
