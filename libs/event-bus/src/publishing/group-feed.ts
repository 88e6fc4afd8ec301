import type { PublicEvent } from '@svc/contracts/events/envelope';
import { measureLag } from '@svc/event-store';
import { allDone, type Position } from '@svc/kernel';
import type { Subscription } from '../consumes.ts';
import { catchUp, orStopped, type CatchUpOptions } from './catch-up.ts';
import { readOwed, type OwedOptions } from './owed.ts';

export interface GroupFeedOptions extends OwedOptions, Omit<CatchUpOptions, 'met'> {}

/** One group on one topic: the relay publishes to it, or, while it is behind, a subscription of its own feeds it. */
export interface GroupFeed extends Subscription {
  /** Resolves when the group is through with the events, or when it is noted that it is owed them. */
  publish(events: PublicEvent[], positions: Position[]): Promise<void>;
  /** The relay is through with its batch: what it publishes from now on is no repeat of what it published to this group before. */
  endOfBatch(): void;
  stop(): Promise<void>;
}

/** A group that takes longer than this for a batch falls behind, like one that retries: the others do not wait for it. */
const PATIENCE_MS = 1_000;

/**
 * Opens the feed of a group. While the group is owed events, the relay publishes nothing to it, and notes that it is owed the new ones
 * as well before its own checkpoint moves: a crash loses nothing. The feed's own subscription hands over what is owed; once that is all,
 * the relay publishes to the group again. A group is behind in memory before that is stored: while it cannot be stored the relay repeats
 * its batch, and no group is handed twice what it had.
 */
export async function openGroupFeed(options: GroupFeedOptions, subscription: Subscription): Promise<GroupFeed> {
  const { source, subscribing, bus, stopped } = options;
  const { clock, logger } = subscribing;
  const { group, topic } = subscription;
  const owed = await readOwed(options, subscription);
  let isBehind = false;
  let feeding: Promise<unknown> = Promise.resolve();
  /** What the group had of the relay's batch. */
  const had = new Set<Position>();
  const met = (): void => void (isBehind = false);

  /** `inHand`: whether the group got through with what it had when it fell behind, which is all that it was owed then. */
  async function feed(inHand: Promise<boolean>): Promise<void> {
    const since = clock.now();
    const unmeasure = measureLag(`${source}.publishing.${group}.${topic}`, async () => (clock.now() - since) / 1_000);
    const { until } = owed;
    try {
      if (await orStopped(inHand, stopped)) await owed.through(until);
    } catch {
      // What could not be stored is stored by the subscription.
    }
    if (owed.done >= owed.until && owed.isStored) met();
    else await catchUp({ ...options, met }, subscription, owed);
    unmeasure();
  }

  function fallBehind(inHand: Promise<boolean>): void {
    isBehind = true;
    feeding = Promise.all([feeding, feed(inHand)]);
  }

  /** Whether the group got through; false as well when it takes too long, which `inHand` goes on waiting for. */
  async function hand(events: PublicEvent[], positions: Position[]): Promise<{ isThrough: boolean; inHand: Promise<boolean> }> {
    const slow = Promise.withResolvers<boolean>();
    const handed = bus.publishTo(group, topic, events, positions, () => slow.resolve(false));
    const inHand = handed.then(
      () => true,
      (error: unknown) => {
        if (!stopped.aborted) logger.warn({ group, topic, err: error }, 'a group was not handed its events, and is handed them again');
        return false;
      },
    );
    const cancel = clock.after(PATIENCE_MS, () => slow.resolve(false));
    return { isThrough: await Promise.race([inHand, slow.promise]).finally(cancel), inHand };
  }

  /** Resolves when it is stored what the group is owed. */
  const note = (until: Position): Promise<void> => allDone([owed.through(owed.done), owed.owe(until)]);

  if (owed.done < owed.until) fallBehind(Promise.resolve(false));
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
      logger.warn({ group, topic, from: String(first) }, 'a group falls behind, and is fed by a subscription of its own');
      const through = owed.through(first - 1n);
      const noted = note(last); // both count from now on
      fallBehind(inHand);
      await allDone([through, noted]);
    },
    endOfBatch: () => had.clear(),
    async stop() {
      await feeding;
    },
  };
}
