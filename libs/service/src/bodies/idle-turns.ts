import { createFairQueue, idleMs, monotonicMs, systemClock } from '@svc/kernel';

interface Waiting {
  bytes: number;
  go: () => void;
}

/** So long the event loop may be busy with what has come before and between. Then the next body has its turn nevertheless. */
const LONGEST_BUSY_MS = 50;
/** No limits: the bytes that wait are limited where they are received. */
const queue = createFairQueue<Waiting>({ waitingInAll: Infinity, waitingPerAccount: Infinity, known: 10_000 });
let count = 0;
let isLooking = false;
/** When the last body had its turn, and how long the event loop had been idle by then, in milliseconds. */
let last = { at: -Infinity, idle: -1 };

/**
 * Calls `go` when the account's turn has come: at once where the event loop has been idle since the body before, which means that everything that
 * was ready has been served. Turns go by bytes, of all servers of a process together: they share its event loop. Returns what gives the turn up.
 */
export function idleTurn(account: string, bytes: number, go: () => void): () => void {
  const waiting = { bytes, go };
  queue.add(account, waiting);
  count += 1;
  if (!isLooking) look();
  return () => {
    if (queue.remove(account, waiting)) count -= 1;
  };
}

/** A timer of its own for each look: an event loop that has nothing to do is idle until it fires. It is the machine's: what is measured is its time. */
function look(): void {
  const [at, idle] = [monotonicMs(), idleMs()];
  if (idle > last.idle || at - last.at >= LONGEST_BUSY_MS) {
    last = { at, idle };
    serveOne();
  }
  isLooking = count > 0;
  if (isLooking) systemClock.after(1, look);
}

function serveOne(): void {
  const taken = queue.take();
  if (!taken) return;
  count -= 1;
  queue.charge(taken.account, taken.job.bytes);
  taken.job.go();
}
