import type { ServerWritableStream } from '@grpc/grpc-js';
import type { Failure } from '../calls/failure.ts';

/** Sends a call's encoded messages at the pace of its reader. */
export class Outlet {
  private resume: (() => void) | undefined;
  private readonly whenGone: (() => void)[] = [];

  constructor(private readonly call: ServerWritableStream<unknown, Buffer>) {
    call.on('drain', () => this.resume?.());
    call.on('cancelled', () => {
      this.resume?.();
      for (const act of this.whenGone) act();
    });
  }

  /** The reader has cancelled, or the call has ended. */
  get gone(): boolean {
    return this.call.cancelled || this.call.writableEnded;
  }

  /** Number of messages that wait for the network. */
  get waiting(): number {
    return this.call.writableLength;
  }

  onGone(act: () => void): void {
    if (this.call.cancelled) act();
    else this.whenGone.push(act);
  }

  /** Sends without backpressure. */
  push(message: Buffer): void {
    if (!this.gone) this.call.write(message);
  }

  /** Sends. Returns a promise when the reader applies backpressure; it resolves when the reader catches up. */
  send(message: Buffer): Promise<void> | undefined {
    if (this.gone || this.call.write(message)) return undefined;
    return new Promise((resolve) => {
      this.resume = () => {
        this.resume = undefined;
        resolve();
      };
    });
  }

  end(): void {
    if (!this.gone) this.call.end();
  }

  fail(failure: Failure): void {
    if (!this.gone) this.call.emit('error', failure);
  }
}
