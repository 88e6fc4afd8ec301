import { Gauge } from 'prom-client';

const followers = new Map<string, () => Promise<number>>();

/** `svc_follower_lag_seconds`, shared by all services of the process and read when the metrics are. A lag that cannot be read is left out. */
const lag = new Gauge({
  name: 'svc_follower_lag_seconds',
  help: 'Age of the oldest event that a follower was handed and has not handled, or how long it has got none though there are; 0 when it is caught up.',
  labelNames: ['follower'],
  async collect() {
    const answers = await Promise.all(
      Array.from(followers, async ([follower, seconds]) => ({ follower, seconds, lag: await seconds().catch(() => undefined) })),
    );
    for (const { follower, seconds, lag } of answers) {
      if (followers.get(follower) !== seconds) continue;
      if (lag === undefined) this.remove({ follower });
      else this.set({ follower }, lag);
    }
  },
});

/** Shows a follower's lag from now on, until the answer is called. */
export function measureLag(follower: string, seconds: () => Promise<number>): () => void {
  followers.set(follower, seconds);
  return () => {
    if (followers.get(follower) !== seconds) return;
    followers.delete(follower);
    lag.remove({ follower });
  };
}
