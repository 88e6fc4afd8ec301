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
const WAITING = 4096;

/**
 * One lane per endpoint, so that one that hangs costs one socket and holds up nobody: 64 in flight while it is healthy, one after a
 * failure until one succeeds, 2,048 in all. At most 4,096 wait in memory: `add` resolves when there is room again.
 */
export function createLanes<T extends { _id: string }>({ laneOf, run }: LanesOptions<T>) {
  const lanes = new Map<string, Lane<T>>();
  let running = 0;
  let waiting = 0;
  let stopped = false;
  let roomMade: (() => void)[] = [];

  const start = (name: string, lane: Lane<T>, item: T): void => {
    lane.running += 1;
    running += 1;
    void run(item).then((ok) => {
      const crowded = running === IN_ALL;
      lane.failing = !ok;
      lane.running -= 1;
      running -= 1;
      for (const [other, its] of crowded ? lanes : [[name, lane] as const]) pump(other, its);
      wake();
    });
  };

  const pump = (name: string, lane: Lane<T>): void => {
    while (!stopped && lane.waiting.size > 0 && running < IN_ALL && lane.running < (lane.failing ? 1 : HEALTHY)) {
      const [id, item] = lane.waiting.entries().next().value as [string, T];
      lane.waiting.delete(id);
      waiting -= 1;
      start(name, lane, item);
    }
    if (lane.waiting.size === 0 && lane.running === 0 && !lane.failing) lanes.delete(name);
  };

  const wake = (): void => {
    const woken = roomMade;
    roomMade = [];
    for (const resolve of woken) resolve();
  };

  return {
    async add(items: T[]): Promise<void> {
      for (const item of items) {
        const name = laneOf(item);
        let lane = lanes.get(name);
        if (!lane) lanes.set(name, (lane = { waiting: new Map(), running: 0, failing: false }));
        if (!lane.waiting.has(item._id)) waiting += 1;
        lane.waiting.set(item._id, item);
        pump(name, lane);
      }
      while (waiting >= WAITING && !stopped) await new Promise<void>((resolve) => roomMade.push(resolve));
    },
    /** Starts nothing more; resolves when what is in flight has ended. What waits comes again when its claim runs out. */
    async drain(): Promise<void> {
      stopped = true;
      wake();
      while (running > 0) await new Promise<void>((resolve) => roomMade.push(resolve));
    },
  };
}
