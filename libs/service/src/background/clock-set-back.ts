import { compareAndSet, type Doc, type DocumentStore, type SetBack } from '@svc/document-store';
import { type Clock, monotonicMs } from '@svc/kernel';
import type { Logger } from '../logging/logger.ts';
import type { BackgroundWork } from './background.ts';

/** What time it was last by the clock of a process of the service, in milliseconds since 1970. */
interface NotedTime extends Doc {
  at: number;
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
/** In looks: a process that runs notes the time within them. */
const WATCHED_FOR = 9;
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
 * noted last, unless a process goes on to note such times, whose clock is ahead of this one's: then all that waits does so by as much less.
 */
export const clockSetBack = ({ documents, work, clock, logger, timeScale = 1 }: Options): BackgroundWork => ({
  name: 'clock-set-back',
  start() {
    const stopping = new AbortController();
    const { signal } = stopping;
    const noted = documents.collection<NotedTime>(NOTED_TIME);
    const difference = (): number => clock.now() - monotonicMs();

    async function note(): Promise<void> {
      const set = { at: clock.now() };
      await compareAndSet<NotedTime, NotedTime>(noted, NOTED_TIME, {
        absent: () => ({ _id: NOTED_TIME, version: 1, ...set }),
        change: () => set,
      });
    }

    /** Whether this process is to move what waits: none goes on to note times that are ahead, nor moves it already. */
    async function isMine(first: NotedTime): Promise<boolean> {
      let last: NotedTime | undefined = first;
      for (let look = 0; look < WATCHED_FOR && last?.version === first.version && !signal.aborted; look += 1) {
        await clock.sleep(LOOK_EVERY_MS / timeScale, signal);
        last = await noted.get(NOTED_TIME);
      }
      if (signal.aborted || !last) return false;
      const { _id, version, at } = last;
      if (version !== first.version && at - clock.now() >= AHEAD_MS) return false;
      // The same time in a new version is what others see who watch it.
      return (await noted.claim({ _id, version }, { set: { at } })).length > 0;
    }

    async function moveAll(ms: number): Promise<void> {
      logger.warn({ back_seconds: Math.round(ms / 1_000) }, 'the clock was set back; what waits by the time before waits by so much less');
      await clock.sleep(CLAIMED_MS / timeScale, signal);
      const by: SetBack = { ms, clock, logger, stopped: signal };
      await Promise.all(work.map(({ setBack }) => setBack?.(by)));
    }

    /** Compares the clock with the last look, at first with the time that was noted; notes the time now and then, though not what was set back. */
    async function run(): Promise<void> {
      let before: number | undefined;
      for (let look = 0; !signal.aborted; look += 1) {
        try {
          const earlier = before === undefined ? await noted.get(NOTED_TIME) : undefined;
          const back = before === undefined ? (earlier?.at ?? 0) - clock.now() : before - difference();
          before = difference();
          if (back >= LEAST_MS && (earlier === undefined || (await isMine(earlier)))) await moveAll(back);
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
