import { type Collection, type Job, type JobQueue, moveJobsBack } from '@svc/document-store';
import {
  watchCatchingUp,
  type Projection,
  type Row,
  type StartableProjections,
  type Subscription,
  type SubscriptionContext,
} from '@svc/event-store';
import type { Clock } from '@svc/kernel';
import { jobProgress } from '../health/progress.ts';
import type { BackgroundWork, RunningWork } from './background.ts';

/** A subscription, a relay included. */
export const subscriptionWork = (name: string, start: () => Subscription): BackgroundWork => ({ name, start: () => runningOf(start()) });

/** A read model; the service is ready once it has caught up with what the store had at the start, or that of the release before serves lists. */
export const projectionWork = (
  projection: Projection<Row>,
  projections: StartableProjections,
  { store, clock }: Pick<SubscriptionContext, 'store' | 'clock'>,
): BackgroundWork => ({
  name: projection.name,
  start() {
    const running = projections.start(projection);
    const { subscription } = running;
    const stopped = new AbortController();
    const subscriptions = new Map([[projection.name, subscription]]);
    const behind = watchCatchingUp({ store, subscriptions, clock, stopped: stopped.signal });
    return {
      ...runningOf(subscription),
      isCaughtUp: () => behind().length === 0 || running.earlier !== undefined,
      async stop() {
        stopped.abort();
        await Promise.all([subscription.stop(), projections.endEarlier(projection)]);
      },
    };
  },
});

/** A job queue over a collection of due documents. */
export const jobsWork = (
  name: string,
  rows: Pick<Collection<Job>, 'find' | 'claim'>,
  clock: Clock,
  start: () => Pick<JobQueue, 'stop'>,
): BackgroundWork => ({
  name,
  setBack: (by) => moveJobsBack(rows, by),
  start() {
    const jobs = start();
    return { progress: jobProgress(rows, clock), stop: () => jobs.stop() };
  },
});

export interface RepeatedOptions {
  name: string;
  /** Milliseconds between runs. */
  every: number;
  clock: Pick<Clock, 'sleep'>;
  /** Logs its own errors: it does not reject. */
  run(): Promise<void>;
  /** The last run, when the service stops. */
  last?(): Promise<void>;
}

/** What runs at once, and then again and again. */
export const repeatedWork = ({ name, every, clock, run, last }: RepeatedOptions): BackgroundWork => ({
  name,
  start() {
    const stopping = new AbortController();
    const repeat = async (): Promise<void> => {
      while (!stopping.signal.aborted) {
        await run();
        await clock.sleep(every, stopping.signal);
      }
      await last?.();
    };
    const running = repeat();
    return {
      async stop() {
        stopping.abort();
        await running;
      },
    };
  },
});

const runningOf = (subscription: Subscription): RunningWork => ({
  progress: { waiting: () => subscription.isBehind(), reached: () => subscription.position() },
  lagSeconds: () => subscription.lagSeconds(),
  stop: () => subscription.stop(),
});
