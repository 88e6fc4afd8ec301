import { systemClock } from '@svc/kernel';

/** Until the second try; each later one waits twice as long. */
const FIRST_MS = 1_000;
const MOST_MS = 30_000;

/** When to try a checkpoint again that a reader kept from ending. */
export class HeldWal {
  private tries = 0;
  private cancel: () => void = () => undefined;

  /** A try has failed, and none has succeeded since. */
  get waits(): boolean {
    return this.tries > 0;
  }

  /** Two tries have failed, a second apart: the reader is not one that reads a row and leaves. */
  get isHeld(): boolean {
    return this.tries > 1;
  }

  /** Calls `again` later: by a timer, since the reader may leave when nothing is written any more. */
  gaveUp(again: () => void): void {
    this.cancel();
    this.cancel = systemClock.after(Math.min(MOST_MS, FIRST_MS * 2 ** this.tries), again);
    this.tries += 1;
  }

  ended(): void {
    this.cancel();
    this.tries = 0;
  }
}
