import type { BeforeApplicationShutdown, OnApplicationBootstrap } from '@nestjs/common';
import type { Documents } from '@svc/document-store';
import type { EventBus } from '@svc/event-bus';
import type { Publisher } from '@svc/event-bus/publishing/publisher';
import { startPublishing } from '@svc/event-bus/publishing/start-publishing';
import { measureLag, watchCatchingUp, type StartableProjections, type Subscription, type SubscriptionContext } from '@svc/event-store';
import { dueProgress, type Health } from '@svc/service';
import type { InvoicingContext } from './context.ts';
import { startUnfinished } from './unfinished/start-unfinished.ts';
import type { Watched } from './unfinished/watched.ts';

export interface BackgroundOptions {
  context: InvoicingContext;
  subscribing: SubscriptionContext;
  documents: Documents;
  bus: EventBus;
  health: Health;
  projections: StartableProjections;
  publishers: readonly Publisher[];
  watched: readonly Watched[];
}

/** Nest's injection token of what `createBackground` makes. */
export const BACKGROUND = Symbol('Background');

/** Everything of this service that runs without being asked: started with the application, stopped before its servers close. */
export function createBackground(options: BackgroundOptions): OnApplicationBootstrap & BeforeApplicationShutdown {
  const { context, subscribing, documents, bus, health, projections, publishers, watched } = options;
  const stopped = new AbortController();
  const stops: (() => Promise<void>)[] = [];
  const unmeasured: (() => void)[] = [];

  return {
    onApplicationBootstrap() {
      const readModels = new Map(projections.start().map(({ projection, subscription }) => [projection.name, subscription]));
      const publishing = startPublishing({ source: 'invoicing', subscribing, documents, bus, publishers });
      const unfinished = startUnfinished(context, subscribing, documents, watched);
      stops.push(...Array.from(readModels.values(), (subscription) => () => subscription.stop()), publishing.stop, unfinished.stop);
      const subscriptions = new Map<string, Subscription>(readModels)
        .set('publishing', publishing)
        .set('unfinished', unfinished.subscription);
      for (const [name, subscription] of subscriptions) {
        unmeasured.push(measureLag(`invoicing.${name}`, () => subscription.lagSeconds()));
        health.registerProgress(`invoicing.${name}`, { waiting: () => subscription.isBehind(), reached: () => subscription.position() });
      }
      health.registerProgress('invoicing.due', dueProgress(unfinished.rows, subscribing.clock));
      const { store, clock } = subscribing;
      const behind = watchCatchingUp({ store, subscriptions: readModels, clock, stopped: stopped.signal });
      health.register('invoicing', () => behind().length === 0 || `not caught up yet: ${behind().join(', ')}`);
    },

    async beforeApplicationShutdown() {
      stopped.abort();
      unmeasured.forEach((stop) => stop());
      await Promise.all(stops.map((stop) => stop()));
    },
  };
}
