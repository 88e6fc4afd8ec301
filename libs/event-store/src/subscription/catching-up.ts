import type { Clock } from '@svc/kernel';
import type { EventStore } from '../port.ts';
import type { Subscription } from './subscription.ts';

export interface CatchingUpOptions {
  store: Pick<EventStore, 'head'>;
  subscriptions: ReadonlyMap<string, Pick<Subscription, 'waitFor'>>;
  clock: Clock;
  stopped: AbortSignal;
}

const LOOK_MS = 1_000;

/** Returns which subscriptions have not yet handled all that the store had at this call. One that has caught up once counts as caught up. */
export function watchCatchingUp({ store, subscriptions, clock, stopped }: CatchingUpOptions): () => string[] {
  const behind = new Set(subscriptions.keys());

  async function watch(name: string, subscription: Pick<Subscription, 'waitFor'>): Promise<void> {
    while (!stopped.aborted && behind.has(name)) {
      try {
        const head = await store.head();
        while (!stopped.aborted && !(await subscription.waitFor(head, LOOK_MS)));
        behind.delete(name);
      } catch {
        await clock.sleep(LOOK_MS, stopped); // a server does not answer, which its own readiness check reports
      }
    }
  }
  for (const [name, subscription] of subscriptions) void watch(name, subscription);
  return () => [...behind];
}
