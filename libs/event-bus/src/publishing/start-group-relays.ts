import { measureLag, startExclusiveSubscription, type Subscription } from '@svc/event-store';
import { retry } from '@svc/event-store/retry';
import { categoryOf, OutcomeUnknown, type Position } from '@svc/kernel';
import type { Subscription as Group } from '../consumes.ts';
import type { LetterBook } from '../dead-letters/letter-book.ts';
import { adoptGroups, checkpointOf } from './adopt-groups.ts';
import { orStopped } from './or-stopped.ts';
import type { PublishTo } from './publication.ts';
import { createRelay, publishesSkipped } from './relay.ts';
import type { Source } from './start-relay.ts';

/** A bus that stores nothing. */
export interface GroupBus {
  /** Resolves once all groups are known. Rejects when the bus closes before. */
  listens(): Promise<void>;
  groups(): Group[];
  /** Resolves when every group has handled the events or stored them as dead letters. */
  publish: PublishTo;
  /** The same for one group. */
  publishTo(group: string, ...given: Parameters<PublishTo>): Promise<void>;
  readonly letters: LetterBook;
}

/** The relays of all groups, as one subscription. */
export interface GroupRelays extends Subscription {
  /**
   * Whether a group has handled everything up to this position of the store, or does within that time; undefined where it reads nothing of this source.
   */
  handles(group: string, position: Position, withinMs: number): Promise<boolean | undefined>;
}

interface Relay extends Group {
  subscription: Subscription;
}

/** A batch is handled in some milliseconds here, and webhooks are sent after it. */
const GATHER_MOST_MS = 20;
/** How long the batches in hand have at the end: a group may retry until a server answers. */
const END_WITHIN_MS = 1_000;

/** Publishes stored events to each group by a subscription of its own, so that none waits for another; a new group starts with the first event. */
export function startGroupRelays(source: Source, bus: GroupBus): GroupRelays {
  const { documents, subscribing, ...published } = source;
  const { store, clock, logger } = subscribing;
  const [stopping, over] = [new AbortController(), new AbortController()];
  const relaying = { ...published, store, letters: bus.letters };
  const since = clock.now();
  let relays: Relay[] | undefined;

  function relayTo({ group, topic }: Group): Relay {
    const publishers = published.publishers.filter(({ topics }) => topics.includes(topic));
    const categories = new Set(publishers.map(({ category }) => category));
    const publish: PublishTo = async (of, ...given) => {
      if (of === topic) await orStopped(bus.publishTo(group, of, ...given), over.signal);
    };
    const subscription = startExclusiveSubscription({
      ...subscribing,
      name: checkpointOf({ group, topic }),
      gatherMost: GATHER_MOST_MS,
      concerns: ({ stream }) => categories.has(categoryOf(stream)),
      handle: createRelay({ ...relaying, publishers, publish }),
    });
    const unmeasure = measureLag(`${source.source}.${checkpointOf({ group, topic })}`, () => subscription.lagSeconds());
    return { group, topic, subscription: { ...subscription, stop: () => subscription.stop().finally(unmeasure) } };
  }

  async function start(): Promise<Relay[]> {
    await orStopped(bus.listens(), stopping.signal);
    const topics = published.publishers.flatMap((publisher) => publisher.topics);
    const groups = bus.groups().filter(({ topic }) => topics.includes(topic));
    await retry(() => adoptGroups(source, groups).catch(failed), clock, stopping.signal);
    return (relays = stopping.signal.aborted ? [] : groups.map(relayTo));
  }
  const failed = (error: unknown): never => {
    logger.error({ err: error, source: source.source }, 'publishing cannot start at the moment');
    throw error;
  };
  const started = start().catch((): Relay[] => []); // closed or stopped before the bus listened

  /** A letter of a stream waits until each group has had what the stream has before it, and its relay has skipped the events. */
  const publishAfterRelays: PublishTo = async (topic, events, positions) => {
    const last = positions.at(-1) ?? 0n;
    const all = relays?.filter((relay) => relay.topic === topic).map(({ subscription }) => subscription.waitFor(last, 0));
    if (!all || (await Promise.all(all)).includes(false)) throw new OutcomeUnknown('a group has yet to get earlier events');
    await bus.publish(topic, events, positions);
  };
  publishesSkipped({ ...relaying, publish: publishAfterRelays });

  const subscriptions = (): Subscription[] => relays?.map(({ subscription }) => subscription) ?? [];
  return {
    position() {
      const [first = 0n, ...others] = subscriptions().map((one) => one.position());
      return others.reduce((lowest, at) => (at < lowest ? at : lowest), first);
    },
    async waitFor(position, withinMs) {
      const until = clock.now() + withinMs;
      const all = await Promise.race([started, clock.sleep(withinMs)]);
      const reached = all?.map(({ subscription }) => subscription.waitFor(position, Math.max(0, until - clock.now())));
      return reached !== undefined && !(await Promise.all(reached)).includes(false);
    },
    async handles(group, position, withinMs) {
      if (!relays) return false;
      const own = relays.filter((relay) => relay.group === group);
      if (own.length === 0) return undefined;
      return !(await Promise.all(own.map(({ subscription }) => subscription.waitFor(position, withinMs)))).includes(false);
    },
    isBehind: async () => !relays || (await Promise.all(subscriptions().map((one) => one.isBehind()))).includes(true),
    async lagSeconds() {
      if (!relays) return (clock.now() - since) / 1_000;
      return Math.max(0, ...(await Promise.all(subscriptions().map((one) => one.lagSeconds()))));
    },
    async stop() {
      stopping.abort();
      const cancel = clock.after(END_WITHIN_MS, () => over.abort());
      await Promise.all((await started).map(({ subscription }) => subscription.stop()));
      cancel();
    },
  };
}
