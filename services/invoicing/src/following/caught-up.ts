import type { EventStore, Follower } from '@svc/event-store';
import type { Clock } from '@svc/kernel';

export interface CaughtUpOptions {
  store: Pick<EventStore, 'head'>;
  followers: ReadonlyMap<string, Pick<Follower, 'waitFor'>>;
  clock: Clock;
  stopped: AbortSignal;
}

const LOOK_MS = 1_000;

/** Asks which followers have not yet handled all that stood in the store when this was called. Once through, always through. */
export function watchCatchingUp({ store, followers, clock, stopped }: CaughtUpOptions): () => string[] {
  const behind = new Set(followers.keys());

  async function watch(name: string, follower: Pick<Follower, 'waitFor'>): Promise<void> {
    while (!stopped.aborted && behind.has(name)) {
      try {
        const head = await store.head();
        while (!stopped.aborted && !(await follower.waitFor(head, LOOK_MS)));
        behind.delete(name);
      } catch {
        await clock.sleep(LOOK_MS, stopped); // store or documents are away, which their own checks tell
      }
    }
  }
  for (const [name, follower] of followers) void watch(name, follower);
  return () => [...behind];
}
