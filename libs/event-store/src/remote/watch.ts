import type { Clock, Position } from '@svc/kernel';
import type { Appended, Watch } from '../port.ts';
import type { Sink, Subscribe } from './shared-tail.ts';

/** Between two looks at the end of the store. */
const LOOK_MS = 250;

/** What one look has found after a position. */
export interface Found {
  /** The stream and revision of each event of ours. */
  appended: [stream: string, revision: bigint][];
  /** Everything up to here was read. */
  position: Position;
  /** There was nothing more. */
  isEnd: boolean;
}

export interface WatchingOptions {
  newest(): Promise<Position>;
  /** The events after a position, a bounded number of them. */
  after(position: Position): Promise<Found>;
  clock: Pick<Clock, 'sleep'>;
}

/** One run of looks: from the first watcher to the last one's end. */
interface Run {
  /** Everything up to here was reported. */
  seen: Position | undefined;
  begun: Promise<void>;
  stop: AbortController;
}

/**
 * Reports appends of all processes to those who watch. Where a subscription of this process receives all events, by that; else by one look at the
 * end of the store every 250 ms, however many watch. A look that fails is repeated from the same position. Without a watcher nothing is read.
 */
export function createWatching({ newest, after, clock }: WatchingOptions) {
  const watchers = new Set<Appended>();
  /** Subscriptions that have reached the end. */
  const live = new Set<Pick<Sink, 'position' | 'isFull'>>();
  let run: Run | undefined;

  const report: Appended = (stream, revision) => {
    for (const appended of watchers) appended(stream, revision);
  };

  /** Whether everything after `seen` comes by a subscription. */
  const isReceived = ({ seen }: Run): boolean => [...live].some((one) => one.position() === seen && !one.isFull());

  async function look(now: Run): Promise<boolean> {
    if (now.seen === undefined) now.seen = live.values().next().value?.position() ?? (await newest());
    else if (!isReceived(now)) {
      const { appended, position, isEnd } = await after(now.seen);
      for (const one of appended) report(...one);
      if (position > now.seen) now.seen = position; // a subscription may be further by now
      return isEnd;
    }
    return true;
  }

  function start(): Run {
    const stop = new AbortController();
    let begin = (): void => undefined;
    const now: Run = { seen: undefined, begun: new Promise((resolve) => (begin = resolve)), stop };
    void (async () => {
      while (!stop.signal.aborted) {
        const isEnd = await look(now).catch(() => true); // the check of the store reports why
        if (now.seen !== undefined) begin();
        if (isEnd) await clock.sleep(LOOK_MS, stop.signal);
      }
      begin();
    })();
    return now;
  }

  return {
    watch(appended: Appended): Watch {
      const watcher: Appended = (...event) => appended(...event); // the same function may watch twice
      watchers.add(watcher);
      const { begun } = (run ??= start());
      return {
        begun,
        stop() {
          watchers.delete(watcher);
          if (watchers.size > 0) return;
          run?.stop.abort();
          run = undefined;
        },
      };
    },

    /** A subscription whose events are reported as they are received. */
    reported:
      (subscribe: Subscribe): Subscribe =>
      (signal, sink) => {
        const self: Sink = {
          position: () => sink.position(),
          isFull: () => sink.isFull(),
          untilFree: (until) => sink.untilFree(until),
          put(event) {
            report(event.stream, event.revision);
            sink.put(event);
          },
          advance(to) {
            const from = sink.position();
            sink.advance(to);
            if (run?.seen !== undefined && from <= run.seen && to > run.seen) run.seen = to;
          },
          setLive(isLive) {
            if (isLive) live.add(self);
            else live.delete(self);
            sink.setLive(isLive);
          },
        };
        return subscribe(signal, self).finally(() => live.delete(self));
      },
  };
}
