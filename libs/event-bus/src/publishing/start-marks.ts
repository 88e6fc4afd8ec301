import { holdLease } from '@svc/document-store';
import type { Subscription } from '@svc/event-store';
import { publisherOf, type DeadLetterQueues } from '../dead-letters/queues.ts';
import type { Mark } from './mark.ts';
import { putAsideIn } from './put-aside.ts';
import { RELAY, type Source } from './start-relay.ts';

/** How often a mark is published, and how long the relay may take to publish what there was when it began. */
const EVERY_MS = 10_000;

interface MarksOptions {
  source: Pick<Source, 'source' | 'subscribing'>;
  /** `isWhole`: whether the events before those of the relay are published, within that time. */
  relay: Pick<Subscription, 'waitFor'> & { isWhole(withinMs: number): Promise<boolean> };
  deadLetters: DeadLetterQueues;
  publish(mark: Mark): Promise<void>;
}

/**
 * Publishes marks, from one replica at a time: the time, then the end of the store, then the position of the relay, and then what it has put aside, which it
 * stores before its position. So a mark that is repeated, late or lost only says less. While the relay stands still there is none.
 */
export function startMarks({ source, relay, deadLetters, publish }: MarksOptions): { stop(): Promise<void> } {
  const { store, clock, leases, holder, logger } = source.subscribing;
  const own = deadLetters.of(publisherOf(source));

  async function mark(lost: AbortSignal): Promise<void> {
    const until = clock.now();
    const head = await store.head();
    if (!(await relay.isWhole(EVERY_MS)) || !(await relay.waitFor(head, EVERY_MS)) || lost.aborted) return;
    const put_aside = await putAsideIn(own);
    if (put_aside) await publish({ until, put_aside });
    else logger.warn({ source: source.source }, 'events of too many accounts are put aside: reports as known at a time wait for them');
  }
  const failed = (error: unknown): void =>
    logger.warn({ err: error, source: source.source }, 'until when everything is published is not known');

  async function run(lost: AbortSignal): Promise<void> {
    const ended = new Promise<void>((resolve) => lost.addEventListener('abort', () => resolve(), { once: true }));
    while (!lost.aborted) {
      await Promise.race([mark(lost).catch(failed), ended]);
      await clock.sleep(EVERY_MS, lost);
    }
  }

  return holdLease({ leases, name: `${RELAY}.marks`, holder, clock, logger, run });
}
