import type { Clock } from '@svc/kernel';
import { createWorkerQueue, workerProgram, type FilesLog, type Program } from './worker-queue.ts';
import type { Job, Rendered } from './render.ts';

/** Characters of a small document's JSON, and how many of them may differ: fonts are read for these. */
const SMALL = 32 * 1024;
const FEW = 512;

/** Whether a document takes some 350 ms of processor time at most. Looks at no more than `SMALL` characters. */
export function isSmall({ text, parties }: Pick<Job, 'text' | 'parties'>): boolean {
  if (text.length > SMALL) return false;
  return new Set(parties ? text + JSON.stringify(parties) : text).size <= FEW;
}

/** Milliseconds of processor time: several times what the slowest script needs, some 7 ms a KiB besides fonts (decisions/files.md). */
export const limitOf = ({ text }: Pick<Job, 'text'>): number => 10_000 + (40 * text.length) / 1024;

interface Options {
  clock: Pick<Clock, 'after'>;
  logger: FilesLog;
  program?: Program;
  limitOf?: (job: Job) => number;
}

/**
 * Makes files in two worker threads, so that no request waits for another's file, and no small document for large ones. The thread for
 * large documents has a low priority: where all cores are busy, it yields to requests and small documents.
 */
export function createRenderer({ program = workerProgram(), ...options }: Options) {
  const limits = { limitOf, ...options, program };
  const small = createWorkerQueue({ ...limits, name: 'small files', niceness: 0 });
  const large = createWorkerQueue({ ...limits, name: 'large files', niceness: 10 });
  return {
    /**
     * Makes a file in a worker. Throws what the format throws, and service_unavailable where too much waits or waits too long, the worker ends or
     * uses too much processor time: it can be asked for again.
     */
    render: (account: string, job: Job): Promise<Rendered> => (isSmall(job) ? small : large).render(account, job),
    async close(): Promise<void> {
      await Promise.all([small.close(), large.close()]);
    },
  };
}

export type Renderer = ReturnType<typeof createRenderer>;
