import { Gauge } from 'prom-client';
import type { Clock } from '@svc/kernel';
import type { EventStore } from '../port.ts';
import type { Subscription } from './subscription.ts';

const subscriptions = new Map<string, () => Promise<number>>();

/** Shared by all services of the process and evaluated when the metrics are read. A lag that cannot be read is omitted. */
const gaugeOf = (name: string, label: string): Gauge =>
  new Gauge({
    name,
    help: `Age of the oldest event that a ${label} was handed and has not handled, or how long it has got none though there are; 0 when it is caught up.`,
    labelNames: [label],
    async collect() {
      const answers = await Promise.all(
        Array.from(subscriptions, async ([subscription, seconds]) => ({
          ...{ subscription, seconds },
          lag: await seconds().catch(() => undefined),
        })),
      );
      for (const { subscription, seconds, lag } of answers) {
        if (subscriptions.get(subscription) !== seconds) continue;
        if (lag === undefined) this.remove({ [label]: subscription });
        else this.set({ [label]: subscription }, lag);
      }
    },
  });

/** The second is the previous name, kept for one release. */
const gauges = {
  subscription: gaugeOf('svc_subscription_lag_seconds', 'subscription'),
  follower: gaugeOf('svc_follower_lag_seconds', 'follower'),
};

/** Exports a subscription's lag until the returned function is called. */
export function measureLag(subscription: string, seconds: () => Promise<number>): () => void {
  subscriptions.set(subscription, seconds);
  return () => {
    if (subscriptions.get(subscription) !== seconds) return;
    subscriptions.delete(subscription);
    gauges.subscription.remove({ subscription });
    gauges.follower.remove({ follower: subscription });
  };
}

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
