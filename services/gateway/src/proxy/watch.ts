import { type Clock, soon } from '@svc/kernel';

/** Until the response begins. Times are in milliseconds. */
export interface Patience {
  clock: Pick<Clock, 'now' | 'after'>;
  deadline: number;
  /** Asked after each deadline: false where the replica is only busy, and the request goes on. So it does where it has had a sign of life within `look`. */
  isHung(): boolean;
  /** After this without a sign of life `looksHung` is asked; true ends the request as hung. */
  look: number;
  /** `signAt`: milliseconds since 1970, of the last sign of life; 0: there was none. */
  looksHung(signAt: number): Promise<boolean>;
  /** After this a request ends as late, whatever signs of life it has. */
  longest: number;
  /** Called at each sign of life. */
  heard(): void;
}

/** A request that is not waited for any longer. */
export interface GivenUp {
  kind: 'hung' | 'late';
  error: Error;
}

/**
 * Watches one request until its response begins. A service that has it says once a second that it is alive, on the request's own connection, whatever stands between:
 * by that a request that waits for its turn or for an outcome differs from one whose process hangs.
 */
export class Watch {
  private cancelDeadline: () => void = () => undefined;
  private cancelLook: () => void = () => undefined;
  private isOver = false;
  /** Milliseconds since 1970; 0: not yet. */
  private sentAt = 0;
  private signAt = 0;

  constructor(
    private readonly patience: Patience,
    private readonly giveUp: (why: GivenUp) => void,
  ) {
    this.expect();
  }

  sent(): void {
    this.sentAt = this.patience.clock.now();
    this.look(this.patience.look);
  }

  sign(): void {
    const { clock, longest, heard } = this.patience;
    this.signAt = clock.now();
    heard();
    if (this.signAt - this.sentAt > longest) this.end('late', `no answer within ${longest} ms`);
  }

  over(): void {
    this.isOver = true;
    this.cancelDeadline();
    this.cancelLook();
  }

  private expect(): void {
    const { clock, deadline } = this.patience;
    this.cancelDeadline = clock.after(deadline, () => void this.judge());
  }

  private async judge(): Promise<void> {
    await soon(0); // what has arrived meanwhile is read first
    if (this.isOver) return;
    const { clock, deadline, look, isHung } = this.patience;
    // One that waits for its connection ends with that.
    const isHanging = this.sentAt > 0 && isHung() && clock.now() - this.signAt >= look;
    if (isHanging) this.end('hung', unanswered(deadline));
    else this.expect();
  }

  private look(ms: number): void {
    this.cancelLook = this.patience.clock.after(ms, () => void this.ask());
  }

  private async ask(): Promise<void> {
    await soon(0);
    if (this.isOver) return;
    const { clock, look, looksHung } = this.patience;
    const { signAt } = this;
    const rest = signAt + look - clock.now();
    if (rest > 0) return this.look(rest);
    const isHanging = await looksHung(signAt);
    if (this.isOver) return;
    if (this.signAt !== signAt) this.look(look);
    else if (isHanging) this.end('hung', unanswered(look));
  }

  private end(kind: GivenUp['kind'], message: string): void {
    this.over();
    this.giveUp({ kind, error: new Error(message) });
  }
}

const unanswered = (ms: number): string => `no answer within ${ms} ms, nor to any other request`;
