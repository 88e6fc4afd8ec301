import type { PublicEvent } from '@svc/contracts/events/envelope';
import type { HandleBatch, SubscriptionContext } from '@svc/event-store';
import type { Position } from '@svc/kernel';
import type { Subscription } from '../consumes.ts';
import type { LetterBook } from '../dead-letters/letter-book.ts';
import type { Backlog } from './backlog.ts';
import type { PublicationsFromOptions } from './publications-from.ts';
import { createRelay } from './relay.ts';

/** Consumer groups of a bus that stores nothing. */
export interface FedGroups {
  /** Resolves once all groups are known. Rejects when the bus closes before. */
  listens(): Promise<void>;
  groups(): Subscription[];
  /** Resolves when the group has handled the events or stored them as dead letters. `retries` is called when it failed and is about to be retried. */
  publishTo(group: string, topic: string, events: PublicEvent[], positions: readonly Position[], retries?: () => void): Promise<void>;
  readonly letters: LetterBook;
}

export interface CatchUpOptions extends Omit<PublicationsFromOptions, 'store'> {
  subscribing: SubscriptionContext;
  bus: FedGroups;
  stopped: AbortSignal;
  /** Called in the turn in which the backlog becomes empty: from then on the relay publishes to the group. */
  caughtUp(): void;
}

/** Publishes its backlog to a group, in order, through a subscription. Resolves when the backlog is empty or publishing stops. */
export async function catchUp(options: CatchUpOptions, { group, topic }: Subscription, backlog: Backlog): Promise<void> {
  const { subscribing, bus, stopped, caughtUp } = options;
  const { store, logger } = subscribing;
  if (stopped.aborted) return;
  const over = new AbortController();
  const handOver = createRelay({
    ...{ ...options, store, letters: bus.letters },
    publish: async (of, events, positions) => {
      if (of === topic) await orStopped(bus.publishTo(group, topic, events, positions), stopped);
    },
  });

  /** `until` may rise at any time; the relay publishes events beyond it, unless it adds them to the backlog. */
  const take: HandleBatch = async ({ events, position }) => {
    while (!over.signal.aborted) {
      const due = events.filter((event) => event.position > backlog.done && event.position <= backlog.until);
      const reached = position < backlog.until ? position : backlog.until;
      if (due.length === 0 && reached <= backlog.done && backlog.isStored) break;
      await handOver(due);
      await backlog.advance(reached); // when this fails, the next round only stores the progress and publishes nothing again
    }
    if (over.signal.aborted || backlog.done < backlog.until) return;
    over.abort();
    caughtUp();
  };
  const stop = store.subscribe(backlog.done === 0n ? 'start' : backlog.done, (batch) =>
    take(batch).catch((error: unknown) => {
      if (!stopped.aborted) logger.warn({ group, topic, err: error }, 'the backlog of a group was not published; it is tried again');
      throw error;
    }),
  );
  const ended = AbortSignal.any([over.signal, stopped]);
  await new Promise<void>((resolve) => ended.addEventListener('abort', () => resolve(), { once: true }));
  over.abort();
  await stop();
}

/** Rejects when publishing stops: a group may retry until a server answers. */
export function orStopped<T>(work: Promise<T>, stopped: AbortSignal): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const stop = (): void => reject(new Error('publishing stops'));
    if (stopped.aborted) stop();
    stopped.addEventListener('abort', stop, { once: true });
    void work.then(resolve, reject).finally(() => stopped.removeEventListener('abort', stop));
  });
}
