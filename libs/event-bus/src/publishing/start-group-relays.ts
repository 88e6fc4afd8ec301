import {
  type ExclusiveSubscriptions,
  measureLag,
  startExclusiveSubscriptions,
  type Subscription,
  type SubscriptionContext,
} from '@svc/event-store';
import { categoryOf, OutcomeUnknown, type Position, type Recorded, retry } from '@svc/kernel';
import type { Subscription as Group } from '../consumes.ts';
import { publisherOf, type DeadLetterQueues } from '../dead-letters/queues.ts';
import type { PublishTo } from './publication.ts';
import { createRelay, publishesSkipped } from './relay.ts';
import { RELAY, type Source } from './start-relay.ts';
import type { Doc, DocumentStore } from '@svc/document-store';

/** A bus that stores nothing. */
export interface GroupBus {
  /** Resolves once all groups are known. Rejects when the bus closes before. */
  listens(): Promise<void>;
  groups(): Group[];
  /** Resolves when every group has handled the events or stored them as dead letters. */
  publish: PublishTo;
  /** The same for one group. */
  publishTo(group: string, ...given: Parameters<PublishTo>): Promise<void>;
  readonly deadLetters: DeadLetterQueues;
}

/** The relays of all groups, as one subscription. */
export interface GroupRelays extends Subscription {
  /** The group of what cannot be published. */
  publisher: string;
  /**
   * Whether a group has handled everything up to this position of the store, or does within that time; undefined where it reads nothing of this source.
   */
  handles(group: string, position: Position, withinMs: number): Promise<boolean | undefined>;
}

/** A batch is handled in some milliseconds here, and webhooks are sent after it. */
const GATHER_MOST_MS = 20;
/** How long the batches in hand have at the end: a group may retry until a server answers. */
const END_WITHIN_MS = 1_000;

/**
 * Publishes stored events to each group by a subscription of its own, so that none waits for another; a new group starts with the first event. One lease
 * serves them all.
 */
export function startGroupRelays(source: Source, bus: GroupBus): GroupRelays {
  const { documents, subscribing, ...published } = source;
  const { store, clock, logger } = subscribing;
  const [stopping, over] = [new AbortController(), new AbortController()];
  const relaying = { ...published, store, deadLetters: bus.deadLetters };
  const since = clock.now();
  let groups: Group[] = [];
  let relays: ExclusiveSubscriptions | undefined;

  function relayTo({ group, topic }: Group) {
    const publishers = published.publishers.filter(({ topics }) => topics.includes(topic));
    const categories = new Set(publishers.map(({ category }) => category));
    const publish: PublishTo = async (of, ...given) => {
      if (of === topic) await orStopped(bus.publishTo(group, of, ...given), over.signal);
    };
    return {
      name: checkpointOf({ group, topic }),
      concerns: ({ stream }: Recorded) => categories.has(categoryOf(stream)),
      handle: createRelay({ ...relaying, publishers, publish }),
    };
  }

  async function start(): Promise<ExclusiveSubscriptions | undefined> {
    await orStopped(bus.listens(), stopping.signal);
    const topics = published.publishers.flatMap((publisher) => publisher.topics);
    groups = bus.groups().filter(({ topic }) => topics.includes(topic));
    await retry(() => adoptGroups(source, groups).catch(failed), clock, stopping.signal);
    if (stopping.signal.aborted) return undefined;
    const { subscriptions, stop } = startExclusiveSubscriptions(
      { ...subscribing, name: RELAY, gatherMost: GATHER_MOST_MS },
      groups.map(relayTo),
    );
    const unmeasure = groups.map((one, n) =>
      measureLag(`${source.source}.${checkpointOf(one)}`, async () => subscriptions[n]?.lagSeconds() ?? 0),
    );
    return (relays = { subscriptions, stop: () => stop().finally(() => unmeasure.forEach((end) => end())) });
  }
  const failed = (error: unknown): never => {
    logger.error({ err: error, source: source.source }, 'publishing cannot start at the moment');
    throw error;
  };
  const started = start().catch(() => undefined); // closed or stopped before the bus listened

  /** A dead letter of a stream waits until each group has had what the stream has before it, and its relay has skipped the events. */
  const publishAfterRelays: PublishTo = async (topic, events, positions) => {
    const last = positions.at(-1) ?? 0n;
    const all = relays?.subscriptions.filter((_, n) => groups[n]?.topic === topic).map((one) => one.waitFor(last, 0));
    if (!all || (await Promise.all(all)).includes(false)) throw new OutcomeUnknown('a group has yet to get earlier events');
    await bus.publish(topic, events, positions);
  };
  publishesSkipped({ ...relaying, publish: publishAfterRelays });

  return {
    publisher: publisherOf(published),
    position() {
      const [first = 0n, ...others] = relays?.subscriptions.map((one) => one.position()) ?? [];
      return others.reduce((lowest, at) => (at < lowest ? at : lowest), first);
    },
    async waitFor(position, withinMs) {
      const until = clock.now() + withinMs;
      const running = await Promise.race([started, clock.sleep(withinMs)]);
      const all = running?.subscriptions.map((one) => one.waitFor(position, Math.max(0, until - clock.now())));
      return all !== undefined && !(await Promise.all(all)).includes(false);
    },
    async handles(group, position, withinMs) {
      if (!relays) return false;
      const own = relays.subscriptions.filter((_, n) => groups[n]?.group === group);
      if (own.length === 0) return undefined;
      return !(await Promise.all(own.map((one) => one.waitFor(position, withinMs)))).includes(false);
    },
    isBehind: async () => !relays || (await Promise.all(relays.subscriptions.map((one) => one.isBehind()))).includes(true),
    async lagSeconds() {
      if (!relays) return (clock.now() - since) / 1_000;
      return Math.max(0, ...(await Promise.all(relays.subscriptions.map((one) => one.lagSeconds()))));
    },
    async stop() {
      stopping.abort();
      const cancel = clock.after(END_WITHIN_MS, () => over.abort());
      await (await started)?.stop();
      cancel();
    },
  };
}

/** Rejects as soon as `stopped` aborts: a group may retry until a server answers. */
function orStopped<T>(work: Promise<T>, stopped: AbortSignal): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const stop = (): void => reject(new Error('publishing stops'));
    if (stopped.aborted) stop();
    stopped.addEventListener('abort', stop, { once: true });
    void work.then(resolve, reject).finally(() => stopped.removeEventListener('abort', stop));
  });
}

const checkpointOf = ({ group, topic }: Group): string => `${RELAY}.${group}.${topic}`;

/** A group that release 0.1.0 did not have: it begins with the first event. until 0.3 */
const IS_REBUILT = /\.r\d+$/;

interface Adopting {
  subscribing: Pick<SubscriptionContext, 'checkpoints'>;
  documents: DocumentStore;
}

/**
 * until 0.3: 0.1.0 had one relay for all groups, and a group that was new or behind read on from its own checkpoint up to `until`. A group that was
 * there has handled everything up to there; where it did not store which were there, all were.
 */
async function adoptGroups({ subscribing: { checkpoints }, documents }: Adopting, groups: readonly Group[]): Promise<void> {
  const relay = await checkpoints.get(RELAY);
  if (!relay) return;
  const { version, position } = relay;
  const known = new Map<string, bigint>();
  for await (const { _id, until } of documents.collection<Doc & { until: string }>('consumer_groups').find({}))
    known.set(_id, BigInt(until));
  const isUpToDate = async (one: Group): Promise<boolean> => {
    const until = known.get(`${one.group} ${one.topic}`);
    if (until === undefined) return known.size === 0 && !IS_REBUILT.test(one.group);
    return BigInt((await checkpoints.get(checkpointOf(one)))?.position ?? 0) >= until;
  };
  const upToDate = (await Promise.all(groups.map(async (one) => ((await isUpToDate(one)) ? [one] : [])))).flat();
  await checkpoints.write([...upToDate.map((one) => ({ put: { _id: checkpointOf(one), version, position } })), { delete: RELAY }]);
}
