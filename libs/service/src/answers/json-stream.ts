import { Readable } from 'node:stream';
import { nextTurn } from '@svc/kernel';
import type { Pace } from './pace.ts';

/**
 * A JSON response that is made while the client reads it. A handler returns it in place of an object, and `useLargeAnswers` sends it. A piece
 * is made after the previous one was passed on, so memory holds at most two. An error after the first piece closes the connection.
 */
export class JsonStream extends Readable {
  private readonly pieces: AsyncIterator<string>;
  private account = '';
  private pace: Pace | undefined;

  constructor(pieces: AsyncIterable<string>) {
    super({ highWaterMark: 1 });
    this.pieces = pieces[Symbol.asyncIterator]();
  }

  /** Called before the first read. Pieces are made in the turns of `account`; `pace` measures the client. */
  sendTo(account: string, pace: Pace): void {
    this.account = account;
    this.pace = pace;
  }

  override _read(): void {
    this.pace?.asked();
    this.makeNext().catch((error: unknown) => this.destroy(error instanceof Error ? error : new Error(String(error))));
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    this.pieces.return?.().catch(() => undefined); // releases what the generator holds
    done(error);
  }

  private async makeNext(): Promise<void> {
    for (let text: string | null = ''; text === '' && !this.destroyed;) {
      await nextTurn(this.account);
      if (this.destroyed) return;
      const next = await this.pieces.next();
      text = next.done ? null : next.value;
      if (text === '') continue;
      this.pace?.handed(text?.length ?? 0);
      this.push(text);
    }
  }
}
