import type { MessagePort } from 'node:worker_threads';
import { Thread } from './thread.ts';

export interface LastStep {
  /** How it leaves the file of the WAL: at its size, or empty. */
  mode: 'RESTART' | 'TRUNCATE';
  /** Who writes the first page of the new WAL, and syncs its header: the worker, or the next to commit. */
  first: 'worker' | 'writer';
}
export type Finish = (step: LastStep) => Promise<void>;

/** What the worker sends: the first step is done, the whole checkpoint is done, or SQLite's error. */
type Reply = 'copied' | 'done' | { message: string; errcode: number };

/** Of the first step, while writes go on, and of the last one, for which they wait. */
const [COPY_MS, LAST_MS] = [600_000, 60_000];
const thread = new Thread('checkpoints', `(${work})()`);

/**
 * Copies the WAL of an open database into its file, in a worker of this process, and lets the WAL start anew. The first step copies what is there
 * while writes go on. `atRest` is then called once, with the last step: it copies the rest and lets the WAL start anew. No other connection may write
 * meanwhile. Rejects with SQLite's `errcode`, or where the worker ends or takes too long; the WAL is as before then, and grows. The last step waits
 * some milliseconds for readers of other processes, then rejects with SQLITE_BUSY, 5.
 */
export async function checkpoint(path: string, atRest: (finish: Finish) => Promise<void>): Promise<void> {
  const { answer, send, close } = thread.begin({ path });
  try {
    check(await answer<Reply>(COPY_MS));
    await atRest(async (step) => {
      send(step);
      check(await answer<Reply>(LAST_MS));
    });
  } finally {
    close();
  }
}

function check(reply: Reply): void {
  if (typeof reply === 'object') throw Object.assign(new Error(reply.message), { code: 'ERR_SQLITE_ERROR', errcode: reply.errcode });
}

/**
 * The worker's whole source: it refers to nothing outside of it. A reader that stands at the end of the WAL keeps the first step from copying all of
 * it, and with it a writer from starting the WAL anew by itself: that syncs, and is done here.
 */
function work(): void {
  const { DatabaseSync } = process.getBuiltinModule('node:sqlite');
  const { parentPort } = process.getBuiltinModule('node:worker_threads');
  const BUSY_MS = 5_000;
  /** Writes wait meanwhile. */
  const LAST_BUSY_MS = 20;

  parentPort?.on('message', ({ path, port }: { path: string; port: MessagePort }) => {
    const writer = new DatabaseSync(path, { timeout: BUSY_MS });
    const reader = new DatabaseSync(path, { timeout: BUSY_MS });
    const end = (reply: Reply): void => {
      for (const db of [reader, writer]) if (db.isOpen) db.close();
      port.postMessage(reply);
    };
    const step = (does: () => void): void => {
      try {
        does();
      } catch (error) {
        const { message, errcode = 0 } = error as { message: string; errcode?: number };
        end({ message, errcode });
      }
    };
    port.on('close', () => end('done')); // closed before the last step
    port.once('message', ({ mode, first }: LastStep) =>
      step(() => {
        reader.exec('COMMIT');
        writer.exec(`PRAGMA busy_timeout=${LAST_BUSY_MS}`);
        const { busy } = writer.prepare(`PRAGMA wal_checkpoint(${mode})`).get() as { busy: number };
        if (busy) throw Object.assign(new Error('the WAL is being read and could not start anew'), { errcode: 5 });
        const { user_version: version } = writer.prepare('PRAGMA user_version').get() as { user_version: number };
        if (first === 'worker') writer.exec(`PRAGMA user_version=${version}`);
        end('done');
      }),
    );
    step(() => {
      reader.exec('BEGIN; SELECT count(*) FROM sqlite_schema');
      writer.exec('PRAGMA wal_checkpoint(PASSIVE)');
      port.postMessage('copied');
    });
  });
}
