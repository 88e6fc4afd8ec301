import { Gauge } from 'prom-client';

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
