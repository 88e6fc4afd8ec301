import { Readable } from 'node:stream';
import { nextTurn } from '@svc/kernel';
import type { Pace } from './pace.ts';

/**
 * A JSON answer that is made while it is taken. A handler returns it in place of an object; `useLargeAnswers` sends it. The next piece
 * of text is made when the one before was handed on, so that two are held at most. An error in between cuts the connection.
 */
export class JsonStream extends Readable {
  private readonly pieces: AsyncIterator<string>;
  private account = '';
  private pace: Pace | undefined;

  constructor(pieces: AsyncIterable<string>) {
    super({ highWaterMark: 1 });
    this.pieces = pieces[Symbol.asyncIterator]();
  }

  /** Before it is read: whose turns its pieces are made in, and what its reader's pace is kept in. */
  sendTo(account: string, pace: Pace): void {
    this.account = account;
    this.pace = pace;
  }

  override _read(): void {
    this.pace?.asked();
    this.makeNext().catch((error: unknown) => this.destroy(error instanceof Error ? error : new Error(String(error))));
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    this.pieces.return?.().catch(() => undefined); // whoever reads for it lets go
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
