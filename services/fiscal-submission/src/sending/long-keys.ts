import { createPrivateKey } from 'node:crypto';
import { createFairQueue, type Clock } from '@svc/kernel';
import type { Tls } from './tls.ts';

/** A signature of so many takes up to two milliseconds, of more 8 to 32. */
const ORDINARY_BITS = 4_096;
/** Between two handshakes: at most a tenth of the event loop. */
const PAUSE_MS = 300;
const WAITING = { waitingInAll: 1_000, waitingPerAccount: 200, known: 1_000 };

export const isLong = (client: Tls['client']): boolean =>
  client !== undefined && (createPrivateKey(client.key).asymmetricKeyDetails?.modulusLength ?? 0) > ORDINARY_BITS;

/** Turns of calls that may make a connection with a long key, which signs in the event loop: accounts in turn, one call in 300 ms. */
export function createLongKeyTurns(clock: Pick<Clock, 'after'>) {
  const queue = createFairQueue<() => void>(WAITING);
  let cancelPause: (() => void) | undefined;

  function next(): void {
    const taken = queue.take();
    cancelPause = taken && clock.after(PAUSE_MS, next);
    if (!taken) return;
    queue.charge(taken.account, 1);
    taken.job();
  }

  return {
    /** Whether the turn has come before `late` aborts. */
    of(account: string, late: AbortSignal): Promise<boolean> {
      return new Promise((resolve) => {
        const go = (): void => {
          late.removeEventListener('abort', giveUp);
          resolve(true);
        };
        const giveUp = (): void => {
          queue.remove(account, go);
          resolve(false);
        };
        if (late.aborted || !queue.add(account, go)) return resolve(false);
        late.addEventListener('abort', giveUp, { once: true });
        if (!cancelPause) next();
      });
    },
    /** Who waits waits until the deadline of the call. */
    close: (): void => cancelPause?.(),
  };
}
