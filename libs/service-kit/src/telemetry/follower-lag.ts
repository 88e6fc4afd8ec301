import { Gauge } from 'prom-client';

const followers = new Map<string, () => number>();

/** `svc_follower_lag_seconds`, shared by all services of the process and read when the metrics are. */
const lag = new Gauge({
  name: 'svc_follower_lag_seconds',
  help: 'Age of the oldest event that a follower was handed and has not handled; 0 when it is caught up.',
  labelNames: ['follower'],
  collect() {
    for (const [follower, seconds] of followers) this.set({ follower }, seconds());
  },
});

/** Shows a follower's lag from now on, until the answer is called. */
export function measureLag(follower: string, seconds: () => number): () => void {
  followers.set(follower, seconds);
  return () => {
    if (followers.get(follower) !== seconds) return;
    followers.delete(follower);
    lag.remove({ follower });
  };
}
