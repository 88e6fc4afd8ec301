import type { BeforeApplicationShutdown, OnApplicationBootstrap } from '@nestjs/common';
import type { SetBack } from '@svc/document-store';
import { measureLag } from '@svc/event-store';
import type { Health } from '../health/health.ts';
import type { Work } from '../health/progress.ts';

/** Something that a service does by itself: a subscription, a relay, a job queue. */
export interface BackgroundWork {
  /** In health checks and metrics, behind the service's name: `publishing`, `due`. */
  name: string;
  start(): RunningWork;
  /** Has what waits for a time wait by so much less. Where this is absent, nothing of it does. */
  setBack?(by: SetBack): Promise<void>;
}

export interface RunningWork {
  /** The process is restarted when this stands still although the servers answer. */
  progress?: Work;
  /** Shown as `svc_subscription_lag_seconds`. */
  lagSeconds?(): Promise<number>;
  /** The service is not ready before this is true once. */
  isCaughtUp?(): boolean;
  /** Takes no more work; resolves when the work in progress is done. */
  stop(): Promise<void>;
}

export interface BackgroundOptions {
  service: string;
  health: Pick<Health, 'registerProgress'>;
  /** Stopped all at once. Work that another needs to its end is stopped by the other. */
  work: readonly BackgroundWork[];
  /** Runs when all work has stopped. */
  close?(): Promise<void>;
}

export interface Background extends OnApplicationBootstrap, BeforeApplicationShutdown {
  onApplicationBootstrap(): void;
  beforeApplicationShutdown(): Promise<void>;
  /** A check of readiness. */
  ready(): true | string;
}

/** Nest's provider of a service's background work, which Nest starts with the application and stops before its servers close. */
export const backgroundProvider = (useValue: Background) => ({ provide: Symbol('Background'), useValue });

/** Starts a service's background work, watches its progress, and stops it. */
export function createBackground({ service, health, work, close }: BackgroundOptions): Background {
  let running: { name: string; work: RunningWork }[] | undefined;
  const unmeasured: (() => void)[] = [];

  return {
    onApplicationBootstrap() {
      running = work.map(({ name, start }) => ({ name, work: start() }));
      for (const { name, work: started } of running) {
        if (started.progress) health.registerProgress(`${service}.${name}`, started.progress);
        if (started.lagSeconds) unmeasured.push(measureLag(`${service}.${name}`, started.lagSeconds));
      }
    },

    ready() {
      if (!running) return 'has not started';
      const behind = running.filter((one) => one.work.isCaughtUp?.() === false).map(({ name }) => name);
      return behind.length === 0 || `not caught up yet: ${behind.join(', ')}`;
    },

    async beforeApplicationShutdown() {
      unmeasured.forEach((stop) => stop());
      await Promise.all((running ?? []).map((one) => one.work.stop()));
      await close?.();
    },
  };
}
