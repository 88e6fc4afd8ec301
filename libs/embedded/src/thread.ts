import { MessageChannel, Worker } from 'node:worker_threads';
import { systemClock } from '@svc/kernel';

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
    const { promise: end, reject } = Promise.withResolvers<never>();
    end.catch(() => undefined); // it may end between two answers
    const ended = (): void => {
      this.ended(worker);
      reject(new Error(`the thread of ${this.name} has ended, or did not answer in time`));
    };
    port.once('close', ended);
    worker.postMessage({ ...message, port: port2 }, [port2]);
    return {
      async answer<T>(ms: number): Promise<T> {
        const cancel = systemClock.after(ms, () => void worker.terminate().then(ended));
        const answered = new Promise<T>((resolve) => port.once('message', resolve));
        return Promise.race([answered, end]).finally(cancel);
      },
      send: (next) => port.postMessage(next),
      close() {
        port.off('close', ended);
        port.close();
      },
    };
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
