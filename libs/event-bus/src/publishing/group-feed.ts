import type { PublicEvent } from '@svc/contracts/events/envelope';
import { measureLag } from '@svc/event-store';
import { allDone, type Position } from '@svc/kernel';
import type { Subscription } from '../consumes.ts';
import { catchUp, orStopped, type CatchUpOptions } from './catch-up.ts';
import { readBacklog, type BacklogOptions } from './backlog.ts';

export interface GroupFeedOptions extends BacklogOptions, Omit<CatchUpOptions, 'caughtUp'> {}

/** One group on one topic: the relay publishes to it or, while it is behind, a subscription does. */
export interface GroupFeed extends Subscription {
  /** Resolves when the group has handled the events, or when they are stored as its backlog. */
  publish(events: PublicEvent[], positions: Position[]): Promise<void>;
  /** The relay has finished its batch: what it publishes next is no repeat of it. */
  endOfBatch(): void;
  stop(): Promise<void>;
}

/** A group that takes longer than this for a batch, or retries, falls behind: the others do not wait for it. */
const SLOW_MS = 1_000;

/**
 * Opens the feed of a group. While the group has a backlog, the relay publishes nothing to it but extends the backlog before it moves its
 * own checkpoint, so that a crash loses nothing. A subscription publishes the backlog; once it is empty, the relay publishes to the group
 * again. A group counts as behind before that is stored: while it cannot be stored the relay repeats its batch, and no group receives an
 * event twice.
 */
export async function openGroupFeed(options: GroupFeedOptions, subscription: Subscription): Promise<GroupFeed> {
  const { source, subscribing, bus, stopped } = options;
  const { clock, logger } = subscribing;
  const { group, topic } = subscription;
  const backlog = await readBacklog(options, subscription);
  let isBehind = false;
  let feeding: Promise<unknown> = Promise.resolve();
  /** The positions of the relay's batch that the group has handled. */
  const had = new Set<Position>();
  const caughtUp = (): void => void (isBehind = false);

  /** `inHand`: whether the group handles the batch with which it fell behind, which is all of its backlog at first. */
  async function feed(inHand: Promise<boolean>): Promise<void> {
    const since = clock.now();
    const unmeasure = measureLag(`${source}.publishing.${group}.${topic}`, async () => (clock.now() - since) / 1_000);
    const { until } = backlog;
    try {
      if (await orStopped(inHand, stopped)) await backlog.advance(until);
    } catch {
      // The subscription stores what could not be stored here.
    }
    if (backlog.done >= backlog.until && backlog.isStored) caughtUp();
    else await catchUp({ ...options, caughtUp }, subscription, backlog);
    unmeasure();
  }

  function fallBehind(inHand: Promise<boolean>): void {
    isBehind = true;
    feeding = Promise.all([feeding, feed(inHand)]);
  }

  /** Whether the group has handled the events; false also when it takes too long, while `inHand` continues to wait. */
  async function hand(events: PublicEvent[], positions: Position[]): Promise<{ isThrough: boolean; inHand: Promise<boolean> }> {
    const slow = Promise.withResolvers<boolean>();
    const handed = bus.publishTo(group, topic, events, positions, () => slow.resolve(false));
    const inHand = handed.then(
      () => true,
      (error: unknown) => {
        if (!stopped.aborted) logger.warn({ group, topic, err: error }, 'events were not published to a group; they are tried again');
        return false;
      },
    );
    const cancel = clock.after(SLOW_MS, () => slow.resolve(false));
    return { isThrough: await Promise.race([inHand, slow.promise]).finally(cancel), inHand };
  }

  /** Resolves when the backlog is stored. */
  const note = (until: Position): Promise<void> => allDone([backlog.advance(backlog.done), backlog.extend(until)]);

  if (backlog.done < backlog.until) fallBehind(Promise.resolve(false));
  return {
    ...subscription,
    async publish(events, positions) {
      const isNew = positions.map((position) => !had.has(position));
      const [given, at] = [events.filter((_, n) => isNew[n]), positions.filter((_, n) => isNew[n])];
      const [first, last] = [at[0], at.at(-1)];
      if (first === undefined || last === undefined) return;
      if (isBehind) return note(last);
      const { isThrough, inHand } = await hand(given, at);
      if (isThrough) {
        for (const position of at) had.add(position);
        return;
      }
      if (stopped.aborted) throw new Error('publishing stops');
      logger.warn({ group, topic, from: String(first) }, 'a group falls behind; a subscription of its own feeds it');
      const through = backlog.advance(first - 1n);
      const noted = note(last); // both take effect at once
      fallBehind(inHand);
      await allDone([through, noted]);
    },
    endOfBatch: () => had.clear(),
    async stop() {
      await feeding;
    },
  };
}
