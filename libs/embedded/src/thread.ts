import { MessageChannel, Worker, type MessagePort } from 'node:worker_threads';

/** One message to a thread, and what it answers. */
export interface Conversation {
  /**
   * The next answer. Rejects where the thread has ended. One that has not answered after `ms` is ended: at once, or when the system call in which it
   * hangs returns, so that nothing it does is still under way once this rejects.
   */
  answer<T>(ms: number): Promise<T>;
  send(message: unknown): void;
  close(): void;
}

/** A thread of this process that works on the file of a database. It starts at its first message, and keeps no process from ending. */
export class Thread {
  private worker: Worker | undefined;

  /** `source`: a whole program; each message to it has a `port` for its answers. */
  constructor(
    private readonly name: string,
    private readonly source: string,
  ) {}

  begin(message: object): Conversation {
    const worker = (this.worker ??= this.started());
    const { port1: port, port2 } = new MessageChannel();
    worker.postMessage({ ...message, port: port2 }, [port2]);
    return { answer: (ms) => this.answer(worker, port, ms), send: (next) => port.postMessage(next), close: () => port.close() };
  }

  private async answer<T>(worker: Worker, port: MessagePort, ms: number): Promise<T> {
    const deadline = setTimeout(() => void worker.terminate(), ms);
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    const ended = (): void => {
      this.ended(worker);
      reject(new Error(`the thread of ${this.name} has ended, or did not answer for ${ms / 1_000} s`));
    };
    port.once('message', resolve).once('close', ended);
    try {
      return await promise;
    } finally {
      clearTimeout(deadline);
      port.off('close', ended);
    }
  }

  private started(): Worker {
    const worker = new Worker(this.source, { eval: true, name: this.name });
    worker.unref();
    worker.on('error', () => undefined); // its ports close, too
    worker.on('exit', () => this.ended(worker));
    return worker;
  }

  private ended(worker: Worker): void {
    if (this.worker === worker) this.worker = undefined;
  }
}
