import type { Engine } from '@svc/embedded';
import type { Clock } from '@svc/kernel';
import type { Logger } from '@svc/service';

/** After a start, since the process before may have ended between an erasure and its scrub; at LAST_MS again, for copies that are erased later. */
const FIRST_MS = 10 * 60_000;
/** After an erasure: by then all services have erased their copies. Those that failed and were repaired later are scrubbed at LAST_MS. */
const SOON_MS = 60 * 60_000;
const LAST_MS = 8 * 60 * 60_000;
/** Between two slices, so that writes that waited for one do not wait for the next. */
const PAUSE_MS = 20;
const AGAIN_MS = 5 * 60_000;

/** Scrubs the engine's files soon after each start and after erasures; several erasures share a scrub. */
export function startScrubbing({ engine, clock, logger }: { engine: Engine; clock: Clock; logger: Logger }) {
  const stopping = new AbortController();
  const { signal } = stopping;
  /** When to scrub, in milliseconds since 1970, the earliest first. */
  let due = [clock.now() + FIRST_MS, clock.now() + LAST_MS];
  let wake = Promise.withResolvers<void>();

  const pause = async (): Promise<void> => {
    await clock.sleep(PAUSE_MS, signal);
    signal.throwIfAborted();
  };

  async function scrub(): Promise<void> {
    const began = clock.now();
    try {
      await engine.scrub(pause);
      due = due.filter((at) => at > began);
    } catch (error) {
      if (signal.aborted) return;
      logger.warn({ err: error }, 'what erased customers left in the data folder could not be overwritten; it is tried again');
      await clock.sleep(AGAIN_MS, signal);
    }
  }

  async function run(): Promise<void> {
    while (!signal.aborted) {
      wake = Promise.withResolvers();
      const [next = Infinity] = due;
      if (next <= clock.now()) await scrub();
      else if (next === Infinity) await wake.promise;
      else await Promise.race([wake.promise, clock.sleep(next - clock.now(), signal)]);
    }
  }

  const running = run();
  return {
    /** A customer was erased: within 24 h no file of the data folder holds its data. */
    erased(): void {
      const now = clock.now();
      const [earliest] = due;
      const has = (from: number, to: number): boolean => due.some((at) => at >= from && at <= to);
      // An erasure joins a scrub that is due after its time, and at most after twice its time.
      for (const after of [SOON_MS, LAST_MS]) if (!has(now + after, now + 2 * after - 1)) due.push(now + after + after / 2);
      due.sort((a, b) => a - b);
      if (due[0] !== earliest) wake.resolve();
    },
    /** Resolves when the slice in hand is done. */
    async stop(): Promise<void> {
      stopping.abort();
      wake.resolve();
      await running;
    },
  };
}

export type Scrubbing = ReturnType<typeof startScrubbing>;
