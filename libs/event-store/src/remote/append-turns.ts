import { createFairQueue, DomainError, type Clock } from '@svc/kernel';

const KIB = 1024;
/** An append of more bytes takes a turn. */
const LARGE = 16 * KIB;
/** No further large append begins while so many bytes of them are under way. */
const MOST_UNDER_WAY = 512 * KIB;
/** Maximum time in which an append waits for its turn, in milliseconds. */
const WAIT_MS = 8_000;
/** The requests that make large appends are bounded in bytes where they are received; this is for what makes them besides. */
const WAITING = { waitingInAll: 10_000, waitingPerAccount: 2_000, known: 10_000 };

/**
 * All appends of a process go through one call, in the order in which they are sent: a hundred large ones of one account would hold up every small one of
 * others for seconds, and those that are not answered in time are sent again. Large ones begin one after the other, of the account that has appended the
 * fewest bytes; small ones go ahead of all that wait.
 */
export function createAppendTurns(clock: Pick<Clock, 'after'>) {
  const queue = createFairQueue<{ bytes: number; go: () => void }>(WAITING);
  let underWay = 0;

  const next = (): void => {
    while (underWay < MOST_UNDER_WAY) {
      const taken = queue.take();
      if (!taken) return;
      const { account, job } = taken;
      underWay += job.bytes;
      queue.charge(account, job.bytes);
      job.go();
    }
  };
  const releaseOf = (bytes: number) => (): void => {
    underWay -= bytes;
    next();
  };

  return {
    /** Resolves when an append of an account may begin, with what is to be called at its end. Throws `service_unavailable` when it waits too long. */
    take(account: string, bytes: number): Promise<() => void> {
      if (bytes <= LARGE) return Promise.resolve(() => undefined);
      return new Promise((resolve, reject) => {
        const job = {
          bytes,
          go() {
            stopClock();
            resolve(releaseOf(bytes));
          },
        };
        const stopClock = clock.after(WAIT_MS, () => {
          if (queue.remove(account, job)) reject(tooMany());
        });
        if (queue.add(account, job)) return next();
        stopClock();
        reject(tooMany());
      });
    },
  };
}

const tooMany = (): DomainError =>
  new DomainError('service_unavailable', 'Too many large documents are being written. Nothing was done; repeat the request.', undefined, 1);
