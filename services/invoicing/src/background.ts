import type { BeforeApplicationShutdown, OnApplicationBootstrap } from '@nestjs/common';
import type { EventBus } from '@svc/event-bus';
import type { Documents } from '@svc/document-store';
import type { Follower } from '@svc/event-store';
import { dueProgress, type Health } from '@svc/service';
import { measureLag } from '@svc/service/telemetry/follower-lag';
import type { InvoicingContext } from './context.ts';
import { watchCatchingUp } from './following/caught-up.ts';
import type { FollowingContext } from './following/following.ts';
import type { StartableViews } from './listing/views.ts';
import type { Publisher } from './publishing/publisher.ts';
import { startPublishing } from './publishing/start-publishing.ts';
import { startUnfinished } from './unfinished/start-unfinished.ts';
import type { Watched } from './unfinished/watched.ts';

export interface BackgroundOptions {
  context: InvoicingContext;
  following: FollowingContext;
  documents: Documents;
  bus: EventBus;
  health: Health;
  views: StartableViews;
  publishers: readonly Publisher[];
  watched: readonly Watched[];
}

/** Nest's injection token of what `createBackground` makes. */
export const BACKGROUND = Symbol('Background');

/** Everything of this service that runs without being asked: started with the application, stopped before its servers close. */
export function createBackground(options: BackgroundOptions): OnApplicationBootstrap & BeforeApplicationShutdown {
  const { context, following, documents, bus, health, views, publishers, watched } = options;
  const stopped = new AbortController();
  const stops: (() => Promise<void>)[] = [];
  const unmeasured: (() => void)[] = [];

  return {
    onApplicationBootstrap() {
      const readModels = new Map<string, Follower>(views.start().map(({ view, follower }) => [view.name, follower]));
      const publishing = startPublishing({ following, documents, bus, publishers });
      const unfinished = startUnfinished(context, following, documents, watched);
      stops.push(...Array.from(readModels.values(), (follower) => () => follower.stop()), publishing.stop, unfinished.stop);
      const followers = new Map(readModels).set('publishing', publishing.follower).set('unfinished', unfinished.follower);
      for (const [name, follower] of followers) {
        unmeasured.push(measureLag(`invoicing.${name}`, () => follower.lagSeconds()));
        health.registerProgress(`invoicing.${name}`, { waiting: () => follower.isBehind(), reached: () => follower.position() });
      }
      health.registerProgress('invoicing.due', dueProgress(unfinished.rows, following.clock));
      const behind = watchCatchingUp({ store: following.store, followers: readModels, clock: following.clock, stopped: stopped.signal });
      health.register('invoicing', () => behind().length === 0 || `not caught up yet: ${behind().join(', ')}`);
    },

    async beforeApplicationShutdown() {
      stopped.abort();
      unmeasured.forEach((stop) => stop());
      await Promise.all(stops.map((stop) => stop()));
    },
  };
}
