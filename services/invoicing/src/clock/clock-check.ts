import { type Clock, DomainError, monotonicMs } from '@svc/kernel';
import { type BackgroundWork, Gauge, type Logger, repeatedWork } from '@svc/service';
import type { Witness } from './witnesses.ts';

const ASK_EVERY_MS = 60 * 60_000;
/** Where none has answered, or the clock is ahead. */
const ASK_AGAIN_MS = 30_000;
const ANSWER_WITHIN_MS = 2_000;
/** Between the machine's clock and the monotonic one. */
const JUMP_MS = 60_000;
const RETRY_AFTER_S = 30;

let measured: () => { skews: Map<string, number>; unconfirmed: boolean } = () => ({ skews: new Map(), unconfirmed: true });

new Gauge({
  name: 'svc_clock_skew_seconds',
  help: 'By how much the clock of this machine is ahead of another one; the newest stored event and number show only a clock that is behind',
  labelNames: ['witness'],
  collect() {
    this.reset();
    for (const [witness, ms] of measured().skews) this.set({ witness }, ms / 1000);
  },
});
new Gauge({
  name: 'svc_clock_unconfirmed',
  help: '1 while no other clock has said within the hour what time it is',
  collect() {
    this.set(Number(measured().unconfirmed));
  },
});

/**
 * Compares the machine's clock with witnesses: at once, each hour, and when it jumps against the monotonic clock, which alone says nothing, since a
 * machine that slept jumps too. `monotonic`: milliseconds since any moment, from a clock that cannot be set.
 */
export function createClockCheck({
  witnesses,
  clock,
  logger,
  monotonic = monotonicMs,
}: {
  witnesses: readonly Witness[];
  clock: Pick<Clock, 'now' | 'after'>;
  logger: Logger;
  monotonic?: () => number;
}) {
  const said = new Map<string, Said>();
  const stored = new Map<string, number>();
  let askedAt = -Infinity;
  let asking: Promise<void> | undefined;
  const now = (): Now => ({ wallMs: clock.now(), at: monotonic() });
  const difference = ({ wallMs, at }: Now): number => wallMs - at;
  let before = difference(now());

  measured = () => {
    const current = now();
    const skews = new Map([...said].map(([name, one]) => [name, aheadOf(one, current)]));
    for (const [name, newestMs] of stored) skews.set(name, Math.min(0, current.wallMs - newestMs));
    return { skews, unconfirmed: validAt(said.values(), current).length === 0 };
  };

  async function ask({ name, time }: Witness): Promise<void> {
    const began = monotonic();
    const late = Promise.withResolvers<never>();
    const cancel = clock.after(ANSWER_WITHIN_MS, () => late.reject(new Error(`no answer within ${ANSWER_WITHIN_MS} ms`)));
    try {
      const answered = await Promise.race([time(), late.promise]);
      const ended = monotonic();
      said.set(name, { offsetMs: answered - (began + ended) / 2, at: ended });
    } catch (error) {
      logger.warn({ err: error, witness: name }, 'another clock does not say what time it is');
    } finally {
      cancel();
    }
  }

  async function askAll(): Promise<void> {
    askedAt = monotonic();
    await Promise.all(witnesses.map(ask));
    const ahead = surelyAhead(said.values(), now());
    if (ahead !== undefined)
      logger.error({ ahead_seconds: Math.round(ahead / 1000) }, 'the clock of this machine is ahead: no number is given until it is set');
  }

  /** True: the witnesses are to be asked before anything is said. */
  function isDue(current: Now): boolean {
    const jump = difference(current) - before;
    if (Math.abs(jump) > JUMP_MS) {
      before = difference(current);
      said.clear(); // the monotonic clock may have stood still while the machine slept
      logger.warn({ jump_seconds: Math.round(jump / 1000) }, 'the clock of this machine has jumped');
      return true;
    }
    const isSure = validAt(said.values(), current).length > 0 && surelyAhead(said.values(), current) === undefined;
    return current.at - askedAt >= (isSure ? ASK_EVERY_MS : ASK_AGAIN_MS);
  }

  return {
    /** Throws service_unavailable while every witness says that the clock is more than ten minutes ahead. Asks them first where that is due. */
    async check(): Promise<void> {
      if (witnesses.length === 0) return;
      if (isDue(now())) asking = askAll().finally(() => (asking = undefined));
      await asking;
      const ahead = surelyAhead(said.values(), now());
      if (ahead !== undefined) throw clockAhead(ahead);
    },
    /** A moment that is stored, in milliseconds since 1970: where it is in the future, the clock is behind. */
    saw(name: 'newest event' | 'newest number', ms: number): void {
      stored.set(name, Math.max(stored.get(name) ?? -Infinity, ms));
    },
  };
}

export type ClockCheck = ReturnType<typeof createClockCheck>;

const clockAhead = (ms: number): DomainError =>
  new DomainError(
    'service_unavailable',
    `The clock of a server is ${Math.round(ms / 60_000)} minutes ahead, so no number is given: the document would be dated wrongly. An alert says so to its operators. Repeat the request later.`,
    undefined,
    RETRY_AFTER_S,
  );

const WORK_EVERY_MS = 60_000;

/** Checks the clock also while no number is asked for, so that its metrics are of now. */
export const clockWork = (clockCheck: Pick<ClockCheck, 'check'>, clock: Pick<Clock, 'sleep'>): BackgroundWork =>
  repeatedWork({
    ...{ name: 'clock', every: WORK_EVERY_MS, clock },
    run: () => clockCheck.check().catch(() => undefined), // it has logged why
  });

/** A clock that is asked for the present time. */
export interface Said {
  /** What its clock says less what this process's monotonic clock says, in milliseconds: it stays so until a clock is set. */
  offsetMs: number;
  /** When it answered, by the monotonic clock. */
  at: number;
}

/** `wallMs`, `at`: what the machine's clock and the monotonic one say now. */
export interface Now {
  wallMs: number;
  at: number;
}

/** An answer says nothing about the present after this. */
const VALID_MS = 60 * 60_000;
/** An issue date that is wrong by so much at midnight is one of another day, for so long. */
const MOST_AHEAD_MS = 10 * 60_000;

/** By how much the machine's clock is ahead of the other, in milliseconds; negative: behind. */
export const aheadOf = ({ offsetMs }: Said, { wallMs, at }: Now): number => wallMs - at - offsetMs;

/** The answers that still say something. */
export const validAt = (said: Iterable<Said>, now: Now): Said[] => [...said].filter(({ at }) => now.at - at <= VALID_MS);

/**
 * By how much the machine's clock is ahead, in milliseconds, where every witness says that it is more than ten minutes ahead: the least that one says.
 * undefined: at least one says that it is not, or no witness has answered.
 */
export function surelyAhead(said: Iterable<Said>, now: Now): number | undefined {
  const least = Math.min(...validAt(said, now).map((one) => aheadOf(one, now)));
  return least > MOST_AHEAD_MS && least !== Infinity ? least : undefined;
}
