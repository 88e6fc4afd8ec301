import type { PublicEvent } from '@svc/contracts/events/envelope';
import type { Subscription } from '@svc/event-bus';
import type { Position } from '@svc/kernel';
import { measureLag } from '@svc/service-kit/telemetry/follower-lag';
import { catchUp, orStopped, type CatchUpOptions } from './catch-up.ts';
import { readOwed, type OwedOptions } from './owed.ts';

export interface LaneOptions extends OwedOptions, Omit<CatchUpOptions, 'met'> {}

/** One group on one topic, which the relay publishes to, or while it is behind a subscription of its own. */
export interface Lane extends Subscription {
  /** Resolves when the group is through with the events, or when it is noted that it is owed them. */
  publish(events: PublicEvent[], positions: Position[]): Promise<void>;
  stop(): Promise<void>;
}

/** A group that takes longer than this for a batch falls behind, like one that retries: the others do not wait for it. */
const PATIENCE_MS = 1_000;

/**
 * Opens a lane. While a group is owed something the relay publishes nothing to it, and notes that it is owed that as well before its own
 * checkpoint moves: a crash loses nothing. The lane's subscription hands over what is owed, and when that is all, the two have met and
 * the relay goes on.
 */
export async function openLane(options: LaneOptions, subscription: Subscription): Promise<Lane> {
  const { following, bus, stopped } = options;
  const { clock, logger } = following;
  const { group, topic } = subscription;
  const owed = await readOwed(options, subscription);
  let isBehind = false;
  let feeding: Promise<void> | undefined;
  const met = (): void => void (isBehind = false);

  /** `inHand`: whether the group got through with what it had when it fell behind, which is all that it was owed then. */
  async function feed(inHand: Promise<boolean>): Promise<void> {
    const since = clock.now();
    const unmeasure = measureLag(`invoicing.publishing.${group}.${topic}`, async () => (clock.now() - since) / 1_000);
    const { until } = owed;
    try {
      if (await orStopped(inHand, stopped)) await owed.through(until);
    } catch {
      // It is handed over again.
    }
    if (owed.done >= owed.until) met();
    else await catchUp({ ...options, met }, subscription, owed);
    unmeasure();
  }

  function fallBehind(inHand: Promise<boolean>): void {
    isBehind = true;
    feeding = feed(inHand);
  }

  if (owed.done < owed.until) fallBehind(Promise.resolve(false));
  return {
    ...subscription,
    async publish(events, positions) {
      const [first, last] = [positions[0], positions.at(-1)];
      if (first === undefined || last === undefined) return;
      if (isBehind) return owed.owe(last);
      const slow = Promise.withResolvers<'slow'>();
      const handed = bus.publishTo(group, topic, events, positions, () => slow.resolve('slow'));
      const inHand = handed.then(
        () => true,
        () => false,
      );
      const cancel = clock.after(PATIENCE_MS, () => slow.resolve('slow'));
      if ((await Promise.race([handed, slow.promise]).finally(cancel)) !== 'slow') return;
      await owed.through(first - 1n);
      await owed.owe(last);
      logger.warn({ group, topic, from: String(first) }, 'a group falls behind, and is fed by a subscription of its own');
      fallBehind(inHand);
    },
    async stop() {
      await feeding;
    },
  };
}
