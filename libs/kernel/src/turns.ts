/**
 * Awaited between pieces of long work, so that other requests proceed in between. `bytes`: stored size of the next piece. Throws a `DomainError`
 * if the work must stop.
 */
export type Turn = (bytes: number) => Promise<void>;

/** The next turn of the event loop, for work that does not compete with other accounts. */
export const soon: Turn = () => new Promise((resolve) => setImmediate(resolve));

/** Waiting callers by account. The account that was served last is at the end. */
const waiting = new Map<string, (() => void)[]>();
let isScheduled = false;

/**
 * Resolves for one caller in each turn of the event loop, and for more where reads of `atOnce` leave time: accounts in rotation, callers of an account in the order of
 * their calls. So the process works on one piece of long work at a time and handles other requests between two pieces.
 */
export const nextTurn = (account: string): Promise<void> =>
  new Promise((resolve) => {
    const own = waiting.get(account);
    if (own) return void own.push(resolve);
    waiting.set(account, [resolve]);
    schedule();
  });

function schedule(): void {
  if (isScheduled || waiting.size === 0) return;
  isScheduled = true;
  setImmediate(() => {
    isScheduled = false;
    serveOne();
    schedule();
  });
}

function serveOne(): void {
  for (const [account, own] of waiting) {
    waiting.delete(account);
    own.shift()?.();
    if (own.length > 0) waiting.set(account, own);
    break;
  }
}

/** Bytes in one turn of the event loop, some half a millisecond of work, and what a read counts besides what it finds. Not by the clock: a run can be repeated. */
const [MOST_AT_ONCE, LEAST] = [128 * 1_024, 2_048];
let bytesRead = 0;

/**
 * A read of what may be large and is mostly small: at once while such reads have found less than 128 KiB in this turn of the event loop and no caller waits, else when
 * `turn` has come. `bytesOf`: of what it finds. Rejects with what `turn` or `read` throws.
 */
export async function atOnce<T>(turn: Turn, read: () => Promise<T>, bytesOf: (found: T) => number): Promise<T> {
  if (bytesRead >= MOST_AT_ONCE || waiting.size > 0) await turn(0);
  count(LEAST);
  try {
    const found = await read();
    count(bytesOf(found));
    return found;
  } finally {
    if (bytesRead < MOST_AT_ONCE) serveOne();
  }
}

function count(bytes: number): void {
  if (bytesRead === 0) setImmediate(() => (bytesRead = 0));
  bytesRead += bytes;
}

/** Runs the work of one key one after the other, in the order in which it was added; keys do not wait for each other. */
export class KeyedQueue {
  private readonly last = new Map<string, Promise<unknown>>();

  /** Runs `work` after everything that was added for the key before, whether that failed or not. Settles as `work` does. */
  add<T>(key: string, work: () => Promise<T>): Promise<T> {
    const done = (this.last.get(key) ?? Promise.resolve()).then(work);
    const settled: Promise<void> = done.then(
      () => this.forget(key, settled),
      () => this.forget(key, settled),
    );
    this.last.set(key, settled);
    return done;
  }

  /** Resolves when nothing is waiting or under way. */
  async drain(): Promise<void> {
    while (this.last.size > 0) await Promise.all(this.last.values());
  }

  private forget(key: string, settled: Promise<unknown>): void {
    if (this.last.get(key) === settled) this.last.delete(key);
  }
}

/** Waits until every promise is settled, then throws the first error, if any. No work is left running when the caller continues. */
export async function allDone(work: Iterable<Promise<unknown>>): Promise<void> {
  for (const result of await Promise.allSettled(work)) if (result.status === 'rejected') throw result.reason;
}

/**
 * The most that one holder may have of `limit` while the others have `others`: four fifths of what they leave of seven eighths. A single
 * holder gets 70 %; n holders that all want more converge to nearly 7/8 ÷ n each. A new holder gets a share at once, without a revocation.
 */
export const shareOf = (limit: number, others: number): number => Math.max(0, Math.floor((limit * 7) / 10 - (others * 4) / 5));

/** Whether a holder may take one more. The last eighth is reserved for holders that have none. */
export const mayTake = (own: number, others: number, limit: number): boolean => (own === 0 ? others < limit : own < shareOf(limit, others));

export interface CapacityLimits {
  /** Units that one account may hold, and all together. */
  perAccount: number;
  inAll: number;
}

/** What accounts share and no request queues for, in units: bytes, places. */
export function createCapacity({ perAccount, inAll }: CapacityLimits) {
  const held = new Map<string, number>();
  let total = 0;
  return {
    /** Returns what releases the units, to be called once; undefined: there are not enough. An account without any may have as many as are left. */
    reserve(account: string, units: number): (() => void) | undefined {
      const own = held.get(account) ?? 0;
      const most = own === 0 ? inAll - total : Math.min(perAccount, shareOf(inAll, total - own)) - own;
      if (units > most) return undefined;
      held.set(account, own + units);
      total += units;
      return () => {
        const left = (held.get(account) ?? 0) - units;
        if (left > 0) held.set(account, left);
        else held.delete(account);
        total -= units;
      };
    },
  };
}
