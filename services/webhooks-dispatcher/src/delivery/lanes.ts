export interface LanesOptions<T> {
  /** Which lane an item belongs to. */
  laneOf(item: T): string;
  /** Does the work; never rejects. false: it failed, and the lane goes one by one until something succeeds. */
  run(item: T): Promise<boolean>;
}

interface Lane<T> {
  /** By id: an item that comes again, claimed anew, takes the place of the one that waits. */
  waiting: Map<string, T>;
  running: number;
  failing: boolean;
}

const HEALTHY = 64;
const IN_ALL = 2048;
const WAITING_EACH = 256;
/** More than all endpoints of one account (20 in each environment) can fill. */
const WAITING_IN_ALL = 12_288;

/**
 * One lane per endpoint, so that one that hangs costs one socket and holds up nobody: 64 in flight while it is healthy, one after a
 * failure until one succeeds, 2,048 in all. At most 256 wait in memory for each, 12,288 in all: `add` hands back what exceeds that.
 */
export function createLanes<T extends { _id: string }>({ laneOf, run }: LanesOptions<T>) {
  const lanes = new Map<string, Lane<T>>();
  let running = 0;
  let waiting = 0;
  let stopped = false;
  let ended: (() => void) | undefined;

  const mayStart = (lane: Lane<T>): boolean => !stopped && running < IN_ALL && lane.running < (lane.failing ? 1 : HEALTHY);

  const prune = (name: string, lane: Lane<T>): void => {
    if (lane.waiting.size === 0 && lane.running === 0 && !lane.failing) lanes.delete(name);
  };

  const start = (name: string, lane: Lane<T>, item: T): void => {
    lane.running += 1;
    running += 1;
    void run(item).then((ok) => {
      const crowded = running === IN_ALL;
      lane.failing = !ok;
      lane.running -= 1;
      running -= 1;
      for (const [other, its] of crowded ? lanes : [[name, lane] as const]) pump(other, its);
      if (running === 0) ended?.();
    });
  };

  const pump = (name: string, lane: Lane<T>): void => {
    while (lane.waiting.size > 0 && mayStart(lane)) {
      const [id, item] = lane.waiting.entries().next().value as [string, T];
      lane.waiting.delete(id);
      waiting -= 1;
      start(name, lane, item);
    }
    prune(name, lane);
  };

  return {
    /** Takes what there is room for, never waiting; answers the rest, which is not done. */
    add(items: T[]): T[] {
      return items.filter((item) => {
        const name = laneOf(item);
        let lane = lanes.get(name);
        if (!lane) lanes.set(name, (lane = { waiting: new Map(), running: 0, failing: false }));
        if (!lane.waiting.has(item._id)) {
          if (!mayStart(lane) && (lane.waiting.size >= WAITING_EACH || waiting >= WAITING_IN_ALL)) {
            prune(name, lane);
            return true;
          }
          waiting += 1;
        }
        lane.waiting.set(item._id, item);
        pump(name, lane);
        return false;
      });
    },
    /** Starts nothing more; answers what waits, which is not done. */
    stop(): T[] {
      stopped = true;
      return [...lanes.values()].flatMap((lane) => [...lane.waiting.values()]);
    },
    /** After `stop`: resolves when what is in flight has ended. */
    async drain(): Promise<void> {
      if (running > 0) await new Promise<void>((resolve) => (ended = resolve));
    },
  };
}
