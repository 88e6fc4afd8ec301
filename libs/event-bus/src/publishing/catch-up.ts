import type { HandleBatch, SubscriptionContext } from '@svc/event-store';
import type { Subscription } from '../consumes.ts';
import type { EmbeddedBus } from '../embedded-bus.ts';
import type { Owed } from './owed.ts';
import type { Publisher } from './publisher.ts';
import { createRelay } from './relay.ts';

export interface CatchUpOptions {
  source: string;
  subscribing: SubscriptionContext;
  bus: EmbeddedBus;
  publishers: readonly Publisher[];
  stopped: AbortSignal;
  /** Called in the turn in which the group is owed nothing any more: from then on the relay publishes to it. */
  met(): void;
}

/** Hands a group what it is owed, in order, by a subscription of its own. Resolves when that is all, or when publishing stops. */
export async function catchUp(options: CatchUpOptions, { group, topic }: Subscription, owed: Owed): Promise<void> {
  const { source, subscribing, bus, publishers, stopped, met } = options;
  const { store, logger } = subscribing;
  if (stopped.aborted) return;
  const over = new AbortController();
  const handOver = createRelay({
    ...{ source, store, publishers, letters: bus.letters },
    publish: async (of, events, positions) => {
      if (of === topic) await orStopped(bus.publishTo(group, topic, events, positions), stopped);
    },
  });

  /** `until` may rise at any time: events beyond it belong to the relay, unless it notes that they are owed as well. */
  const take: HandleBatch = async ({ events, position }) => {
    while (!over.signal.aborted) {
      const due = events.filter((event) => event.position > owed.done && event.position <= owed.until);
      const reached = position < owed.until ? position : owed.until;
      if (due.length === 0 && reached <= owed.done && owed.isStored) break;
      await handOver(due);
      await owed.through(reached); // when this fails, the next round only stores it: nothing is handed over again
    }
    if (over.signal.aborted || owed.done < owed.until) return;
    over.abort();
    met();
  };
  const stop = store.subscribe(owed.done === 0n ? 'start' : owed.done, (batch) =>
    take(batch).catch((error: unknown) => {
      if (!stopped.aborted) logger.warn({ group, topic, err: error }, 'what a group is owed was not handed over, and will be again');
      throw error;
    }),
  );
  const ended = AbortSignal.any([over.signal, stopped]);
  await new Promise<void>((resolve) => ended.addEventListener('abort', () => resolve(), { once: true }));
  over.abort();
  await stop();
}

/** Rejects when publishing stops: a group may retry until a server is back. */
export function orStopped<T>(work: Promise<T>, stopped: AbortSignal): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const stop = (): void => reject(new Error('publishing stops'));
    if (stopped.aborted) stop();
    stopped.addEventListener('abort', stop, { once: true });
    void work.then(resolve, reject).finally(() => stopped.removeEventListener('abort', stop));
  });
}
