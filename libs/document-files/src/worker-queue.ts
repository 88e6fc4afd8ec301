import { existsSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import { createFairQueue, DomainError, type Clock } from '@svc/kernel';
import type { Job, Rendered } from './render.ts';
import type { Reply } from './worker.ts';

export interface FilesLog {
  error(fields: object, message: string): void;
}

/** What a worker thread runs. */
export interface Program {
  url: URL;
  execArgv?: string[];
}

interface Waiting {
  job: Job;
  stopClock(): void;
  resolve(rendered: Rendered): void;
  reject(error: Error): void;
}

interface WorkerQueueOptions {
  clock: Pick<Clock, 'after'>;
  logger: FilesLog;
  program: Program;
  name: string;
  /** Scheduling priority of the thread as `os.setPriority` takes it: 0 is that of the process, 19 the lowest. */
  niceness: number;
  /** Maximum processor time of a job, in milliseconds. */
  limitOf(job: Job): number;
}

/** Each job that waits holds its JSON, at most some 700 KiB. */
const LIMITS = { waitingInAll: 48, waitingPerAccount: 12, known: 1_000 };
/** Longer than this a job does not wait: the gateway waits 35 s for an answer, which by then is not waited for. */
const LONGEST_WAIT_MS = 20_000;
/** How often the processor time of the job under way is read. */
const LOOK_MS = 1_000;
/** After so many looks without a reading the thread is given up: it is in a native call. */
const MOST_UNREAD = 60;
/** MiB. A worker that needs more ends, and not the process. */
const MOST_MEMORY = 256;

/** `render.mjs` beside the bundled program (tools/bundle.mjs), else the source, with the options that run it. */
export function workerProgram(): Program {
  const url = new URL('render.mjs', import.meta.url);
  if (existsSync(url)) return { url, execArgv: [] };
  return {
    url: new URL('worker.ts', import.meta.url),
    execArgv: ['--conditions=@svc/source', '--experimental-transform-types', '--no-warnings'],
  };
}

/** Makes files in one worker thread, one after the other, for accounts in turn (`createFairQueue`). The thread starts with the first file. */
export function createWorkerQueue({ clock, logger, program, name, niceness, limitOf }: WorkerQueueOptions) {
  const queue = createFairQueue<Waiting>(LIMITS);
  let worker: Worker | undefined;
  let current: { account: string; waiting: Waiting; stopWatch: () => void } | undefined;

  const finish = (cpuMs: number): Waiting | undefined => {
    if (!current) return undefined;
    const { account, waiting, stopWatch } = current;
    current = undefined;
    stopWatch();
    queue.charge(account, cpuMs);
    return waiting;
  };

  const answer = (reply: Reply): void => {
    const job = finish(reply.cpuMs);
    if ('rendered' in reply) job?.resolve(reply.rendered);
    else if ('refused' in reply) job?.reject(new DomainError(reply.refused.code, reply.refused.message, reply.refused.details));
    else job?.reject(new Error(reply.failed));
    next();
  };

  /** The worker has ended or is ended: the file in progress fails and costs its account all that it may use, those that wait go to a new one. */
  const lose = (ended: Worker, reason: string): void => {
    if (worker !== ended) return;
    worker = undefined;
    logger.error({ reason }, 'the worker that renders files has ended');
    finish(current ? limitOf(current.waiting.job) : 0)?.reject(unavailable('The file could not be made. Ask for it again.'));
    void ended.terminate();
    next();
  };

  const started = (): Worker => {
    const one = new Worker(program.url, {
      name,
      ...(program.execArgv && { execArgv: program.execArgv }),
      workerData: { niceness },
      resourceLimits: { maxOldGenerationSizeMb: MOST_MEMORY },
    });
    one.unref();
    one.on('message', (reply: Reply) => worker === one && answer(reply));
    one.on('error', (error) => lose(one, error.message));
    one.on('exit', (code) => lose(one, `it ended with ${code}`));
    return one;
  };

  /** Reads the thread's processor time until the returned function is called. Time in which the thread did not run is not counted. */
  const watch = (one: Worker, { make, text }: Job, limitMs: number): (() => void) => {
    let unread = 0;
    let first: number | undefined;
    const read = (): void => {
      unread += 1;
      one.cpuUsage().then(({ user, system }) => {
        unread = 0;
        const ms = (user + system) / 1_000;
        first ??= ms;
        if (!isOver && ms - first > limitMs)
          lose(one, `a ${make} of ${text.length} characters took more than ${limitMs} ms of processor time`);
      }, ignore);
    };
    let isOver = false;
    const look = (): void => {
      if (unread >= MOST_UNREAD) return lose(one, `a ${make} of ${text.length} characters is in a native call`);
      read();
      stop = clock.after(LOOK_MS, look);
    };
    read();
    let stop = clock.after(LOOK_MS, look);
    return () => {
      isOver = true;
      stop();
    };
  };

  const next = (): void => {
    if (current) return;
    const taken = queue.take();
    if (!taken) return;
    const { account, job: waiting } = taken;
    waiting.stopClock();
    const one = (worker ??= started());
    current = { account, waiting, stopWatch: watch(one, waiting.job, limitOf(waiting.job)) };
    one.postMessage(waiting.job);
  };

  return {
    render: (account: string, job: Job): Promise<Rendered> =>
      new Promise((resolve, reject) => {
        const expire = (): void => {
          queue.remove(account, waiting);
          reject(tooMany());
        };
        const waiting: Waiting = { job, stopClock: clock.after(LONGEST_WAIT_MS, expire), resolve, reject };
        if (queue.add(account, waiting)) return next();
        waiting.stopClock();
        reject(tooMany());
      }),
    async close(): Promise<void> {
      const one = worker;
      worker = undefined;
      const ended = queue.clear();
      ended.forEach(({ stopClock }) => stopClock());
      for (const job of [...ended, finish(0)]) job?.reject(unavailable('The service is shutting down.'));
      await one?.terminate();
    },
  };
}

const ignore = (): void => undefined;
const unavailable = (message: string): DomainError => new DomainError('service_unavailable', message, undefined, 1);
const tooMany = (): DomainError => unavailable('Too many files are being made. Ask for fewer at once.');
