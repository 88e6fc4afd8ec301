import { createHash } from 'node:crypto';
import type { JobFailure } from '@svc/contracts/console/jobs';
import { type Collection, compareAndSet } from '@svc/document-store';
import { type Clock, derivedUid, nextTurn, type Uid, uidOf } from '@svc/kernel';
import type { Limiter, Standing } from '../limiter/port.ts';
import { isGivenUp, refusalIn } from '../member-jobs/refusal.ts';
import type { Step } from '../member-jobs/run-jobs.ts';
import { type AskInside, isFailure } from '../principals/inside/ask-inside.ts';
import { unavailable } from '../principals/inside/unavailable.ts';
import type { Principal } from '../principals/principal.ts';
import { nextAt, type Share, withOneMore, withPause } from './share.ts';
import type { Submissions } from './submissions.ts';

const STEP_MS = 2_000;
/** Submitted before it is stored that they are. */
const MOST_UNSTORED = 20;
/** Whether the member still may is judged so often while the job waits for its limit. */
const LOOK_MS = 4_000;

interface SubmitEachOptions {
  rows: Collection<Submissions>;
  ask: AskInside;
  limiter: Limiter;
  clock: Clock;
}

/**
 * Submits the invoices of a job as its member, at the account's limit. Each is submitted under a command of its own, derived from the job and its place: repeated after
 * a crash it does nothing more, also where the authority has refused the document meanwhile.
 */
export function submissionsStep({ rows, ask, limiter, clock }: SubmitEachOptions) {
  /** `at`: later, in milliseconds since 1970; absent: now, and it is counted. */
  async function permitted({ scope, limits }: Principal, before: Share): Promise<{ share: Share; at?: number }> {
    const window = { name: 'submit' as const, size: limits.submit };
    const standing = (await limiter.take(scope, { windows: [{ ...window, cost: 0 }] })).standings[0] as Standing;
    const now = clock.now();
    const share = withPause(before, standing, limits.submit);
    const at = nextAt(standing, limits.submit, share, now);
    if (at > now) return { share, at };
    const taken = await limiter.take(scope, { windows: [{ ...window, cost: 1 }] });
    return taken.admitted ? { share: withOneMore(share, (taken.standings[0] as Standing).resetAt) } : { share, at: taken.resetAt };
  }

  /** Undefined: it is submitted. Throws service_unavailable where that is not known. */
  async function submit(job: Submissions, n: number, principal: Principal): Promise<JobFailure | undefined> {
    const id = job.ids[n] as string;
    const { status, bytes } = await ask({
      ...{ url: `/v1/invoices/${id}/submit`, body: {}, principal, requestId: job.request_id, command: commandOf(job, n) },
    });
    if (status === 200) return undefined;
    // The member has lost the right since the step began; the next one ends the job.
    const refusal = refusalIn(bytes);
    const isTemporary = isFailure(status) || status === 403 || status === 409;
    if (isTemporary && !isGivenUp(refusal, job)) throw unavailable();
    return { id, ...refusal };
  }

  /** False: a member has ended it, or another process has it. */
  const isOwn = async ({ _id, version }: Submissions): Promise<boolean> =>
    (await rows.indexed([_id], ['ended_at']))[0]?.version === version;

  /** A job that was ended meanwhile shows what was done until then. */
  async function showDone({ _id }: Submissions, done: Pick<Submissions, 'done' | 'failed'>): Promise<void> {
    await compareAndSet<Submissions, undefined>(rows, _id, {
      absent: () => undefined,
      change: (now) => (now.ended_at === null || now.done >= done.done ? undefined : done),
    });
  }

  return async (begun: Submissions, principal: Principal): Promise<Step<Submissions>> => {
    const until = clock.now() + STEP_MS;
    let job = begun;
    const failed = [...job.failed];
    let [done, share, storedShare] = [job.done, job.share, job.share];
    const store = async (): Promise<boolean> => {
      if (done === job.done && share === storedShare) return true;
      const [stored] = await rows.claim({ _id: job._id, version: job.version }, { set: { done, failed, share } });
      if (stored) [job, storedShare] = [stored, share];
      else await showDone(job, { done, failed });
      return stored !== undefined;
    };
    while (done < job.ids.length && clock.now() < until) {
      const may = await permitted(principal, share);
      share = may.share;
      if (may.at !== undefined) return (await store()) ? { job, next: { at: Math.min(may.at, clock.now() + LOOK_MS) } } : null;
      if (!(await isOwn(job))) {
        await store();
        return null;
      }
      const failure = await submit(job, done, principal).catch(async (error: unknown) => {
        await store();
        throw error;
      });
      if (failure) failed.push(failure);
      done += 1;
      if (done - job.done >= MOST_UNSTORED && !(await store())) return null;
      await nextTurn(job.account);
    }
    if (!(await store())) return null;
    return { job, next: done < job.ids.length ? { at: clock.now() } : { ended: 'succeeded' } };
  };
}

const commandOf = ({ _id }: Submissions, n: number): Uid =>
  derivedUid(uidOf('sub', _id) ?? '', createHash('sha256').update(`${_id} ${n}`).digest());
