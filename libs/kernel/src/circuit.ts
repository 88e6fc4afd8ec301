import type { Clock } from './clock.ts';
import { Denied } from './denied.ts';

/** Work that a server does. While the server has answered nothing for 2 s (`Denied` is an answer), such work is refused at once, where it would wait in vain and pile up. */
export interface Circuit {
  /** Runs the work, or throws `refusal` where the circuit is open. */
  through<T>(work: () => Promise<T>): Promise<T>;
  /** What does not go through it has had an answer. */
  hear(): void;
  close(): void;
}

export interface CircuitOptions {
  /** Asks for something that costs nothing. It has its own limit of time; one is under way at a time. */
  ping: () => Promise<unknown>;
  refusal: () => Error;
  clock: Pick<Clock, 'now' | 'after'>;
  /** Called when the circuit opens and when it is closed again. */
  changed: (isOpen: boolean) => void;
}

/** In seconds: for `Retry-After` of a refusal. Longer than the gateway waits for a service before it sends a read once more. */
export const AWAY_RETRY_SECONDS = 3;

const LOOK_MS = 500;
/** In a row, so that a process that was busy itself for a while does not take the server to be away. */
const MOST_UNANSWERED = 3;

/**
 * Closed until a ping has no answer at three looks in a row. A look is every 500 ms while work is under way; it pings where no work has been done since the last
 * one. An open circuit goes on with them, and the first answer closes it.
 */
export function createCircuit({ ping, refusal, clock, changed }: CircuitOptions): Circuit {
  let underWay = 0;
  let heardAt = 0;
  let askedAt = 0;
  let unanswered = 0;
  let isOpen = false;
  let isEnded = false;
  let pinging: Promise<unknown> | undefined;
  let cancel: (() => void) | undefined;

  const hear = (): void => {
    heardAt = clock.now();
    unanswered = 0;
    if (isOpen) changed((isOpen = false));
  };

  const hearDenied = (error: unknown): void => {
    if (error instanceof Denied) hear();
  };

  function look(): void {
    cancel = undefined;
    const now = clock.now();
    if (now - heardAt >= LOOK_MS) {
      if (askedAt > heardAt) unanswered += 1;
      askedAt = now;
      pinging ??= ping()
        .then(hear, hearDenied)
        .finally(() => (pinging = undefined));
    }
    if (unanswered >= MOST_UNANSWERED && !isOpen) changed((isOpen = true));
    if (underWay > 0 || askedAt > heardAt) cancel = clock.after(LOOK_MS, look);
  }

  return {
    async through(work) {
      if (isOpen) throw refusal();
      underWay += 1;
      if (cancel === undefined && !isEnded) {
        heardAt = clock.now();
        cancel = clock.after(LOOK_MS, look);
      }
      try {
        const done = await work();
        hear();
        return done;
      } catch (error) {
        hearDenied(error);
        throw error;
      } finally {
        underWay -= 1;
      }
    },
    hear,
    close() {
      isEnded = true;
      cancel?.();
    },
  };
}
