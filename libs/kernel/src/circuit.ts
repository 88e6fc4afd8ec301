import type { Clock } from './clock.ts';
import { Denied } from './denied.ts';

/** Work that a server does. While the server has answered nothing for 2 s (`Denied` is an answer), such work is refused at once, where it would wait in vain and pile up. */
export interface Circuit {
  /**
   * Runs the work, or throws `refusal` where the circuit is open. Where it opens before the work is done, throws what `left` makes, by default `refusal`: what waits
   * for the work, and what waits in turn for that, does so no longer. The work may still be done.
   */
  through<T>(work: () => Promise<T>, left?: () => Error): Promise<T>;
  /** Throws `refusal` where the circuit is open: for work that has its own time once it is begun. */
  admit(): void;
  /** What does not go through it has had an answer. */
  hear(): void;
  close(): void;
}

export interface CircuitOptions {
  /** Asks for something that costs nothing. It has its own limit of time; one is under way at a time. */
  ping: () => Promise<unknown>;
  refusal: () => Error;
  clock: Pick<Clock, 'after'>;
  /** Called when the circuit opens and when it is closed again. */
  changed: (isOpen: boolean) => void;
}

/** In seconds: for `Retry-After` of a refusal. Longer than the gateway waits for a service before it sends a read once more. */
export const AWAY_RETRY_SECONDS = 3;

const LOOK_MS = 250;
/** In a row, so that a process that was busy itself for a while does not take the server to be away. With the look that asks first, 1.5 to 2 s: an election takes one. */
const MOST_UNANSWERED = 6;

/**
 * Closed until a ping has no answer at six looks in a row. From the first work on it looks every 250 ms, and pings where nothing was answered since the look before: so it knows that
 * the server is away also where nothing else asks it. An open circuit goes on with that, and the first answer closes it.
 */
export function createCircuit({ ping, refusal, clock, changed }: CircuitOptions): Circuit {
  const underWay = new Set<() => void>();
  let isHeard = true;
  let silentLooks = 0;
  let isOpen = false;
  let isEnded = false;
  let pinging: Promise<unknown> | undefined;
  let cancel: (() => void) | undefined;

  const hear = (): void => {
    isHeard = true;
    silentLooks = 0;
    if (isOpen) changed((isOpen = false));
  };

  const hearDenied = (error: unknown): void => {
    if (error instanceof Denied) hear();
  };

  function open(): void {
    changed((isOpen = true));
    for (const leave of underWay) leave();
    underWay.clear();
  }

  function look(): void {
    cancel = clock.after(LOOK_MS, look);
    if (!isHeard) {
      silentLooks += 1;
      pinging ??= ping()
        .then(hear, hearDenied)
        .finally(() => (pinging = undefined));
    }
    isHeard = false;
    if (silentLooks > MOST_UNANSWERED && !isOpen) open();
  }

  function admit(): void {
    if (isOpen) throw refusal();
    if (!isEnded) cancel ??= clock.after(LOOK_MS, look);
  }

  return {
    through<T>(work: () => Promise<T>, left = refusal) {
      return new Promise<T>((resolve, reject) => {
        admit();
        const leave = (): void => reject(left());
        underWay.add(leave);
        const done = work();
        void done.then(hear, hearDenied);
        void done.then(resolve, reject).finally(() => underWay.delete(leave));
      });
    },
    admit,
    hear,
    close() {
      isEnded = true;
      cancel?.();
    },
  };
}
