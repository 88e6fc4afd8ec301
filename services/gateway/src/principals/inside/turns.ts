import { type Clock, createFairQueue } from '@svc/kernel';
import { unavailable } from './unavailable.ts';

const KIB = 1024;
/** What one resource has at most: a document of 640 KiB. */
const RESOURCE = 640 * KIB;
/** A row of lists that hold no documents: endpoints, deliveries, attempts, payments. */
const SMALL_ROW = 16 * KIB;
const SMALL = /\/(?:webhooks|deliveries|attempts|payments)(?:\?|$)/;
/** As lists have by default. */
const PAGE = 20;
/** What holds no documents either, and is read alone. An answer of no more bytes needs no turn: it does not wait for what another service is slow at. */
const SMALL_ONE = /\/(?:issuer|fiscal-credentials|customers\/[^/?]+)(?:\?|$)/;
const FREE = 64 * KIB;

/** No further answer is asked for while so many bytes may be under way; with what is parsed of it each takes about five times its bytes. */
const MOST_UNDER_WAY = 24 * KIB * KIB;
/** Milliseconds: a service that stands still holds the turns of those that ask it. */
const LONGEST_WAIT = 10_000;
const WAITING = { waitingInAll: 4_000, waitingPerAccount: 500, known: 10_000 };

/** The most bytes that the answer to a GET or POST of this url may have, by the rows of a page. */
export function mostBytes(url: string): number {
  const [path = '', query = ''] = url.split('?');
  if (SMALL_ONE.test(path)) return FREE;
  const rows = Number(new URLSearchParams(query).get('per_page') ?? (SMALL.test(path) ? PAGE : 1));
  return rows * (SMALL.test(path) ? SMALL_ROW : RESOURCE);
}

/**
 * Answers that this process asks itself for are read whole. Whoever asks takes a turn first: next is the account that has asked for the fewest bytes, so that many
 * large documents of one account neither exhaust the memory nor keep others waiting.
 */
export interface InsideTurns {
  /** Resolves with what is to be called once the answer is read. Throws service_unavailable where too many wait, or after 10 s. */
  take(account: string, bytes: number): Promise<() => void>;
}

export function createInsideTurns(clock: Pick<Clock, 'after'>): InsideTurns {
  const queue = createFairQueue<{ bytes: number; go: () => void }>(WAITING);
  let underWay = 0;

  const next = (): void => {
    while (underWay < MOST_UNDER_WAY) {
      const taken = queue.take();
      if (!taken) return;
      underWay += taken.job.bytes;
      queue.charge(taken.account, taken.job.bytes);
      taken.job.go();
    }
  };

  return {
    take: async (account, bytes) => {
      if (bytes <= FREE) return () => undefined;
      return new Promise((resolve, reject) => {
        const release = (): void => {
          underWay -= bytes;
          next();
        };
        const stopClock = clock.after(LONGEST_WAIT, () => {
          if (queue.remove(account, job)) reject(unavailable());
        });
        const job = {
          bytes,
          go() {
            stopClock();
            resolve(release);
          },
        };
        if (queue.add(account, job)) return next();
        stopClock();
        reject(unavailable());
      });
    },
  };
}
