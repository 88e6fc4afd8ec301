import { UnknownEvent, type Clock } from '@svc/kernel';
import type { DeadLetter } from '../dead-letter.ts';
import { isAway, RETRY_DELAYS_MS } from '../retrying.ts';
import { holdDeadLetter, isHeld } from './hold.ts';
import { countDeadLetter, messageOf } from './store.ts';
import type { DeadLetterQueues } from './queues.ts';

/** The result of a line: how many of its dead letters were handled, and how many failed and wait no more. */
export interface TakenUp {
  done: number;
  failed: number;
  /** Why it stopped early. `unknown`: this release does not know the dead letter's event; `busy`: another process holds it, or a server does not answer. */
  stopped?: { by: DeadLetter; since: 'unknown' | 'busy' };
}

/**
 * Handles the dead letters of a line again, in order, until the line is empty, this release does not know the next event, a server does not
 * answer, or another process holds the dead letter. A dead letter is deleted only when it is done, so that new events join the line behind it. A
 * dead letter that fails is retried as often as a new event, then stops waiting, and the next one follows.
 */
export async function takeUpLine(queues: DeadLetterQueues, group: string, line: string): Promise<TakenUp> {
  const { clock, closing } = queues.options;
  const deadLetters = queues.of(group);
  const taken: TakenUp = { done: 0, failed: 0 };
  for (;;) {
    const [first] = await Array.fromAsync(deadLetters.find({ line }, { sort: { order: 1 }, limit: 1 }));
    if (!first) return taken;
    if (closing.aborted || isHeld(first, clock)) return { ...taken, stopped: { by: first, since: 'busy' } };
    const held = await holdDeadLetter(deadLetters, first, clock);
    if (!held) continue;
    const failure = await failureOf(() => queues.again(held), clock, closing);
    if (failure === undefined) {
      await held.remove();
      taken.done += 1;
    } else if (failure.error instanceof UnknownEvent || isAway(failure.error) || closing.aborted) {
      await held.release({ error: messageOf(failure.error) });
      return { ...taken, stopped: { by: held.deadLetter, since: failure.error instanceof UnknownEvent ? 'unknown' : 'busy' } };
    } else {
      await held.release({ reason: 'failed', line: null, error: messageOf(failure.error) });
      countDeadLetter(group, 'failed');
      taken.failed += 1;
    }
  }
}

async function failureOf(work: () => Promise<void>, clock: Clock, closing: AbortSignal): Promise<{ error: unknown } | undefined> {
  for (let tries = 0; ; tries += 1) {
    try {
      await work();
      return undefined;
    } catch (error) {
      const delay = RETRY_DELAYS_MS[tries];
      if (delay === undefined || closing.aborted || error instanceof UnknownEvent || isAway(error)) return { error };
      await clock.sleep(delay, closing);
    }
  }
}
