import type { JobReason } from '@svc/contracts/console/jobs';
import { type Collection, moveJobsBack, UniqueViolation } from '@svc/document-store';
import type { EventBus } from '@svc/event-bus';
import { type Clock, DomainError } from '@svc/kernel';
import { type BackgroundWork, logFailure, type Logger, publishesChanges } from '@svc/service';
import type { Principal } from '../principals/principal.ts';
import { endOf, type MemberJob } from './member-job.ts';
import type { Waker } from './waker.ts';
import { isPrincipal, type Needs, type RightsContext, rightsOf } from './rights.ts';
import { wakeFirst } from './wake-first.ts';

/** What a step leaves: more to do at a time, or an end; null: another process has the job. */
export type Step<J extends MemberJob> = {
  job: J;
  next: { at: number } | { ended: 'succeeded' } | { ended: 'failed'; reason: JobReason };
} | null;

export interface RunJobsOptions<J extends MemberJob> extends RightsContext {
  name: string;
  rows: Collection<J>;
  bus: Pick<EventBus, 'publish'>;
  clock: Clock;
  logger: Logger;
  holder?: string | undefined;
  waker?: Waker;
  needs(job: J): Needs;
  /** Works for some seconds, and stores what it has done over the version that it was given. Repeated after a crash from what is stored. */
  step(job: J, principal: Principal): Promise<Step<J>>;
  /** How long the job is kept after its end, in milliseconds. */
  keptFor: number;
  /** Removes what it has stored elsewhere. Called at a failure and before the job is removed, perhaps more than once. */
  remove?(job: J): Promise<void>;
}

/** Jobs of as many accounts go on at once in a process; a step of each, then those that waited longest. */
const AT_ONCE = 8;
/** A queued job looks again so often for a turn that it was not woken for. */
const LOOK_AGAIN_MS = 5_000;
const LONGEST_PAUSE_MS = 60_000;
/** About an hour. */
const MOST_TRIES = 66;
/** A job whose step ends its process so often in a row is not tried again. */
const MOST_BROKEN_OFF = 5;

/** Does the work of jobs, one of each queue at a time, and publishes for the audit that they were begun. */
export function runsJobs<J extends MemberJob>(options: RunJobsOptions<J>): BackgroundWork {
  const { name, rows, bus, clock, logger, holder, waker, needs, step, keptFor, remove } = options;

  /** Over the version that was read; undefined: another process was faster. */
  const change = async ({ _id, version }: J, set: Partial<MemberJob>): Promise<J | undefined> =>
    (await rows.claim({ _id, version }, { set: set as Partial<J> }))[0];

  async function begun(job: J): Promise<J | undefined> {
    for await (const first of rows.find({ queue: job.queue, ended_at: null }, { sort: { _id: 1 }, limit: 1 }))
      if (first._id !== job._id) return undefined;
    return change(job, { status: 'running', running_in: job.queue, broken_off: 1 }).catch((error: unknown) => {
      if (error instanceof UniqueViolation) return undefined;
      throw error;
    });
  }

  async function end(job: J, status: 'succeeded' | 'failed', reason: JobReason | null): Promise<void> {
    const now = clock.now();
    const ended = await change(job, endOf(status, reason, { now, keptFor }));
    if (!ended) return;
    if (status === 'failed') await remove?.(ended);
    await wakeFirst(rows, job.queue, now);
  }

  async function failed(job: J, error: unknown): Promise<void> {
    const tries = job.tries + 1;
    logFailure(logger, error, `a step of ${name} failed`, { job: job._id, tries });
    const now = await rows.get(job._id); // the step may have stored some of its work
    if (!now || now.ended_at !== null) return;
    if (tries > MOST_TRIES) return end(now, 'failed', reasonOf(error));
    await change(now, { tries, broken_off: 0, next_at: clock.now() + Math.min(LONGEST_PAUSE_MS, 1_000 * 2 ** Math.min(tries, 6)) });
  }

  async function goOn(job: J): Promise<void> {
    const rights = await rightsOf(options, job, needs(job));
    if (!isPrincipal(rights)) return end(job, 'failed', rights);
    const done = await step(job, rights);
    if (!done) return;
    if ('ended' in done.next) return end(done.job, done.next.ended, done.next.ended === 'failed' ? done.next.reason : null);
    await change(done.job, { next_at: done.next.at, tries: 0, broken_off: 0 });
  }

  async function advance(job: J): Promise<void> {
    if (job.ended_at !== null) return void ((job.status === 'failed' || job.next_at <= clock.now()) && (await remove?.(job)));
    if (job.broken_off >= MOST_BROKEN_OFF) return end(job, 'failed', BROKEN_OFF);
    // Counted before the work, which may end the process.
    const running = job.status === 'running' ? await change(job, { broken_off: job.broken_off + 1 }) : await begun(job);
    if (!running) return void (await change(job, { next_at: clock.now() + LOOK_AGAIN_MS }));
    await goOn(running).catch((error: unknown) => failed(running, error));
  }

  /** Those whose process died run alone, so that none is counted for another's. */
  async function advanceAll(jobs: readonly J[]): Promise<void> {
    const wasBrokenOff = ({ broken_off, ended_at }: J): boolean => broken_off > 0 && ended_at === null;
    await Promise.all(jobs.filter((job) => !wasBrokenOff(job)).map(advance));
    for (const job of jobs) if (wasBrokenOff(job)) await advance(job);
  }

  const work = publishesChanges<J>({
    ...{ name, source: 'gateway', collection: rows, bus, clock, logger, holder, batch: AT_ONCE },
    accountOf: ({ account, env }) => ({ account, env }),
    started: (queue) => waker?.watch(queue),
    alsoDue: advanceAll,
    afterwards: ({ ended_at: ended, next_at: at }) => (ended !== null && at <= clock.now() ? 'gone' : at),
  });
  return { ...work, setBack: (by) => moveJobsBack(rows, by, ({ next_at: at }, earlier) => ({ next_at: earlier(at) }) as Partial<J>) };
}

const BROKEN_OFF: JobReason = {
  code: 'internal_error',
  message: 'The program ended in the middle of this each time that it was tried. Begin it anew with fewer documents.',
};

const reasonOf = (error: unknown): JobReason => ({
  code: error instanceof DomainError ? error.code : 'internal_error',
  message: 'What this needs was not there for an hour. Begin it anew.',
});
