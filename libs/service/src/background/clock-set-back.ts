import { compareAndSet, type Doc, type DocumentStore, type SetBack } from '@svc/document-store';
import { type Clock, monotonicMs, retry } from '@svc/kernel';
import type { Logger } from '../logging/logger.ts';
import type { BackgroundWork } from './background.ts';
import { repeatedWork } from './work.ts';

/** What time it was last by the clock of a process of the service, in milliseconds since 1970. */
interface NotedTime extends Doc {
  at: number;
  /** The noted time by which waits are moved, by one process for all; while `at` is still that, it is at work. */
  moved?: number;
}

/** The collection of that one document. */
export const NOTED_TIME = 'noted_time';

const LOOK_EVERY_MS = 10_000;
/** In looks. */
const NOTED_EVERY = 6;
/** A clock that is set back by less delays nothing for long. */
const LEAST_MS = 60_000;
/** Until when what a process has claimed by the earlier time is written anew: no call lasts longer. */
const CLAIMED_MS = 60_000;
/** In looks: a process that runs notes the time within them, and one that moves what waits does so in each. */
const WATCHED_FOR = 9;
/** No time is noted for so long while a process moves what waits: it may have ended. */
const MOVED_WITHIN_MS = 5 * 60_000;
/** A time that was noted within a look is ahead by so much of a clock that is right by less than a minute. */
const AHEAD_MS = 30_000;

interface Options {
  /** The service's own. */
  documents: DocumentStore;
  /** What waits. */
  work: readonly Pick<BackgroundWork, 'setBack'>[];
  clock: Clock;
  logger: Logger;
  /** Divides waits. */
  timeScale?: number;
}

/**
 * What a clock that was ahead has had wait would wait by as much longer once it is set back. The monotonic clock shows that it was, and after a restart the time that was
 * noted last, unless a process goes on to note such times, whose clock is ahead of this one's: then all that waits does so by as much less. Of processes whose clocks are set
 * back within a minute one moves it; a clock that is set back later has written what the first one did not move, and moves all again.
 */
export const clockSetBack = ({ documents, work, clock, logger, timeScale = 1 }: Options): BackgroundWork => ({
  name: 'clock-set-back',
  start() {
    const stopping = new AbortController();
    const { signal } = stopping;
    const noted = documents.collection<NotedTime>(NOTED_TIME);
    /** Whole, since what waits is moved by it: stored times are whole milliseconds. */
    const difference = (): number => Math.round(clock.now() - monotonicMs());

    const isMoving = ({ at, moved }: NotedTime): boolean => at === moved;

    /** Not over the time by which a process moves what waits. */
    async function note(): Promise<void> {
      const set = { at: clock.now() };
      await compareAndSet<NotedTime, NotedTime>(noted, NOTED_TIME, {
        absent: () => ({ _id: NOTED_TIME, version: 1, ...set }),
        change: (last) => (isMoving(last) && last.at > clock.now() - MOVED_WITHIN_MS ? undefined : set),
      });
    }

    /** Once another process has written it, or none has for as long as one would. */
    async function watched(seen: NotedTime): Promise<NotedTime | undefined> {
      let last: NotedTime | undefined = seen;
      for (let look = 0; look < WATCHED_FOR && last?.version === seen.version && !signal.aborted; look += 1) {
        await clock.sleep(LOOK_EVERY_MS / timeScale, signal);
        last = await noted.get(NOTED_TIME);
      }
      return signal.aborted ? undefined : last;
    }

    /** Whether this process is to move what waits: none goes on to note times that are ahead, nor has moved it since it was `first`. One that moves it is waited for. */
    async function isMine(first: NotedTime, now: NotedTime | undefined): Promise<boolean> {
      let [seen, last] = [first, now];
      while (last) {
        const { _id, version, at, moved } = last;
        const isLeft = version === seen.version;
        if (!isLeft && !isMoving(last) && (moved === first.at || at - clock.now() >= AHEAD_MS)) return false;
        const isFree = isLeft || !isMoving(last);
        if (isFree && (await noted.claim({ _id, version }, { set: { at, moved: first.at } })).length > 0) return true;
        seen = last;
        last = await watched(seen);
      }
      return false;
    }

    /** The same time in a new version is what others see who watch it. */
    const renew = async (): Promise<void> => {
      await noted
        .claim({ _id: NOTED_TIME }, { set: {} })
        .catch((error: unknown) => logger.error({ err: error }, 'that waits are being moved could not be noted'));
    };

    async function moveAll(ms: number): Promise<void> {
      logger.warn({ back_seconds: Math.round(ms / 1_000) }, 'the clock was set back; what waits by the time before waits by so much less');
      const renewing = repeatedWork({ name: NOTED_TIME, every: LOOK_EVERY_MS / timeScale, clock, run: renew }).start();
      await clock.sleep(CLAIMED_MS / timeScale, signal);
      const by: SetBack = { ms, clock, logger, stopped: signal };
      await Promise.all(work.map(({ setBack }) => setBack?.(by)));
      await renewing.stop();
      if (!signal.aborted) await retry(() => noted.claim({ _id: NOTED_TIME }, { set: { at: clock.now() } }), clock, signal);
    }

    /** Compares the clock with the last look, at first with the time that was noted; notes the time now and then, though not what was set back. */
    async function run(): Promise<void> {
      let before: number | undefined;
      for (let look = 0; !signal.aborted; look += 1) {
        try {
          const found = await noted.get(NOTED_TIME);
          const here = difference();
          const back = before === undefined ? (found?.at ?? 0) - clock.now() : before - here;
          if (back >= LEAST_MS && found) {
            const last = before === undefined || isMoving(found) ? await watched(found) : found;
            if (await isMine(found, last)) await moveAll(back);
          }
          before = here;
          if (look % NOTED_EVERY === 0 && !signal.aborted) await note();
        } catch (error) {
          logger.error({ err: error }, 'it could not be noted or read what time it is; it is tried again');
        }
        await clock.sleep(LOOK_EVERY_MS / timeScale, signal);
      }
    }
    const running = run();
    return {
      async stop() {
        stopping.abort();
        await running;
      },
    };
  },
});
