import { millisOf, type Env } from '@svc/kernel';
import { Gauge } from '@svc/service';

/** Within which clocks agree, in milliseconds: then what is refused for its time is that of one document. */
export const AGREE_MS = 10_000;

const difference = new Gauge({
  name: 'svc_authority_clock_difference_seconds',
  help: 'By how many seconds this machine’s clock is ahead of an authority’s, by the time of its last answer that differs most; precise to a second.',
  labelNames: ['authority', 'env'],
});

/** What is called, in which environment. */
interface Called {
  authority: { id: string };
  env: Env;
}

/** Milliseconds since 1970: when a call began and ended, and the times that its answer states. */
interface Timed {
  startedAt: number;
  now: number;
  times: readonly number[];
}

/** When its server says that it answers, in milliseconds since 1970; [] where it does not. */
export function dateOf(headers: Readonly<Record<string, string | undefined>>): number[] {
  const date = millisOf(headers['date'] ?? '');
  return Number.isNaN(date) ? [] : [date];
}

/**
 * By how much this machine's clock is ahead of whoever answered, in milliseconds, by the time that differs most; undefined: none is stated. An answer was on its way
 * half of the call, as far as is known.
 */
export function differenceOf({ startedAt, now, times }: Timed): number | undefined {
  const all = times.map((time) => (startedAt + now) / 2 - time);
  return all.toSorted((one, other) => Math.abs(other) - Math.abs(one))[0];
}

/** Exports by how much the clocks differ, as the answer to a call says, and returns it, as `differenceOf` does. */
export function observeClock({ authority: { id }, env }: Called, timed: Timed): number | undefined {
  const ms = differenceOf(timed);
  if (ms !== undefined) difference.set({ authority: id, env }, ms / 1000);
  return ms;
}
