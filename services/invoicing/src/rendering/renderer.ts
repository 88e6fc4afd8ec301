import { existsSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import { DomainError, mayTake, type Clock } from '@svc/kernel';
import type { Logger } from '@svc/service';
import type { Job, Rendered } from './render.ts';
import type { Reply } from './worker.ts';

export interface Renderer {
  /**
   * Makes a file in the worker. Throws what the format throws, and service_unavailable where too much waits, the worker ends or takes too
   * long: it can be asked for again.
   */
  render(account: string, job: Job): Promise<Rendered>;
  close(): Promise<void>;
}

interface Program {
  url: URL;
  execArgv?: string[];
}

interface Waiting {
  job: Job;
  resolve(rendered: Rendered): void;
  reject(error: Error): void;
}

/** Of jobs that wait, in all and of one account; a few places are kept for accounts that have none. Each holds its JSON, at most some 700 KiB. */
const MOST_WAITING = 48;
const MOST_OF_ACCOUNT = 12;
/** A document of 500 lines takes some hundred milliseconds. */
const LONGEST_MS = 10_000;
/** MiB. A worker that needs more ends, and not the process. */
const MOST_MEMORY = 256;

/** `render.mjs` beside the bundled program (tools/bundle.mjs), else the source, with the options that run it. */
function workerProgram(): Program {
  const url = new URL('render.mjs', import.meta.url);
  if (existsSync(url)) return { url, execArgv: [] };
  return {
    url: new URL('worker.ts', import.meta.url),
    execArgv: ['--conditions=@svc/source', '--experimental-transform-types', '--no-warnings'],
  };
}

/**
 * Makes files in one worker thread, one after the other, so that no request waits for another's file. Accounts take turns: behind many
 * files of one account another waits for one of them. The thread starts with the first file.
 */
export function createRenderer({ clock, logger }: { clock: Pick<Clock, 'after'>; logger: Logger }, program = workerProgram()): Renderer {
  /** Of each account that waits, in the order of their turns. */
  const waiting = new Map<string, Waiting[]>();
  let count = 0;
  let worker: Worker | undefined;
  let current: { waiting: Waiting; stopClock: () => void } | undefined;

  const take = (): Waiting | undefined => {
    current?.stopClock();
    const taken = current?.waiting;
    current = undefined;
    return taken;
  };

  const answer = (reply: Reply): void => {
    const job = take();
    if ('rendered' in reply) job?.resolve(reply.rendered);
    else if ('refused' in reply) job?.reject(new DomainError(reply.refused.code, reply.refused.message, reply.refused.details));
    else job?.reject(new Error(reply.failed));
    next();
  };

  /** The worker has ended or is ended: the file in progress fails, those that wait go to a new one. */
  const lose = (ended: Worker, reason: string): void => {
    if (worker !== ended) return;
    worker = undefined;
    logger.error({ reason }, 'the worker that renders files has ended');
    take()?.reject(unavailable('The file could not be made. Ask for it again.'));
    void ended.terminate();
    next();
  };

  const started = (): Worker => {
    const one = new Worker(program.url, {
      name: 'files',
      ...(program.execArgv && { execArgv: program.execArgv }),
      resourceLimits: { maxOldGenerationSizeMb: MOST_MEMORY },
    });
    one.unref();
    one.on('message', (reply: Reply) => worker === one && answer(reply));
    one.on('error', (error) => lose(one, error.message));
    one.on('exit', (code) => lose(one, `it ended with ${code}`));
    return one;
  };

  /** The first of the account whose turn it is, which then waits behind the others. */
  const shift = (): Waiting | undefined => {
    for (const [account, jobs] of waiting) {
      const job = jobs.shift();
      waiting.delete(account);
      if (jobs.length > 0) waiting.set(account, jobs);
      count -= 1;
      return job;
    }
    return undefined;
  };

  const next = (): void => {
    if (current) return;
    const job = shift();
    if (!job) return;
    const one = (worker ??= started());
    current = { waiting: job, stopClock: clock.after(LONGEST_MS, () => lose(one, `a ${job.job.format} took too long`)) };
    one.postMessage(job.job);
  };

  return {
    render: (account, job) =>
      new Promise((resolve, reject) => {
        const jobs = waiting.get(account) ?? [];
        if (jobs.length >= MOST_OF_ACCOUNT || !mayTake(jobs.length, count - jobs.length, MOST_WAITING))
          return reject(unavailable('Too many files are being made. Ask for fewer at once.'));
        waiting.set(account, jobs);
        jobs.push({ job, resolve, reject });
        count += 1;
        next();
      }),
    async close() {
      const one = worker;
      worker = undefined;
      const ended = [...waiting.values()].flat();
      waiting.clear();
      count = 0;
      for (const job of [...ended, take()]) job?.reject(unavailable('The service is shutting down.'));
      await one?.terminate();
    },
  };
}

const unavailable = (message: string): DomainError => new DomainError('service_unavailable', message, undefined, 1);
