import { topics, type PublicEvent, type Topic } from '@svc/contracts/events/envelope';
import type { Collection, Doc } from '@svc/documents';
import type { EventBus, Subscription } from '@svc/event-bus';
import { startLeasedFollower } from '@svc/event-store';
import type { Position } from '@svc/kernel';
import type { FollowingContext, Handle } from '../following/following.ts';
import type { Publisher } from './publisher.ts';
import { createRelay, type RelayOptions } from './relay.ts';

/** A bus that keeps nothing: who subscribes later must be told the beginning. A broker keeps it, and has no such methods. */
export interface ForgetfulBus extends EventBus {
  /** Complete once the bus listens. */
  groups(): Subscription[];
  publishTo(group: string, topic: Topic, events: PublicEvent[], positions: bigint[]): Promise<void>;
}

export const isForgetful = (bus: EventBus): bus is ForgetfulBus => 'groups' in bus && 'publishTo' in bus;

/** `_id`: group and topic. `until`: where the relay stood when they were first seen, as decimal text. */
export interface KnownGroup extends Doc {
  until: string;
}

export interface NewGroupsOptions {
  following: FollowingContext;
  bus: ForgetfulBus;
  publishers: readonly Publisher[];
  known: Collection<KnownGroup>;
  /** The relay's checkpoint. */
  relay: string;
}

export interface NewGroups {
  /** Resolves when it is noted who is there: from then on the relay tells them what is new. */
  noted(): Promise<void>;
  stop(): Promise<void>;
}

type Told = Subscription & { until: Position };
const own: readonly Topic[] = [topics.invoice, topics.receipt, topics.customer, topics.registration];

/**
 * Tells new groups the beginning: everything up to where the relay stood when they were first seen, each by a follower of its own that
 * goes on after a restart. What the relay tells them meanwhile has higher sequences, which a group keeps to.
 */
export function startNewGroups(options: NewGroupsOptions): NewGroups {
  const stopped = new AbortController();
  const stopping = new Promise<never>((_, reject) => stopped.signal.addEventListener('abort', () => reject(new Error('publishing stops'))));
  stopping.catch(() => undefined);
  let noting: Promise<void> | undefined;
  let telling: Promise<void> | undefined;

  async function note(): Promise<void> {
    const groups = await Promise.race([noteGroups(options), stopping]);
    telling ??= tellAll(groups);
  }
  async function tellAll(groups: Told[]): Promise<void> {
    for (const group of groups) await tellTheBeginning(options, group, stopped.signal); // one at a time: each reads everything
  }
  const noted = (): Promise<void> =>
    (noting ??= note().catch((error: unknown) => {
      noting = undefined;
      throw error;
    }));
  noted().catch(() => undefined); // the relay asks again
  return {
    noted,
    async stop() {
      stopped.abort();
      await telling;
    },
  };
}

async function noteGroups({ following, bus, known, relay }: NewGroupsOptions): Promise<Told[]> {
  await bus.publish(topics.invoice, []); // waits until it listens
  const subscriptions = bus.groups().filter(({ topic }) => own.includes(topic));
  const { position = '0' } = (await following.checkpoints.get(relay)) ?? {};
  const groups = subscriptions.map(async ({ group, topic }) => {
    const fresh = { _id: `${group} ${topic}`, version: 1, until: position };
    await known.insert(fresh);
    return { group, topic, until: BigInt((await known.get(fresh._id))?.until ?? 0) };
  });
  return Promise.all(groups);
}

async function tellTheBeginning(
  { following, bus, publishers }: NewGroupsOptions,
  { group, topic, until }: Told,
  stopped: AbortSignal,
): Promise<void> {
  const name = `publishing.${group}.${topic}`;
  const { position = '0' } = (await following.checkpoints.get(name)) ?? {};
  if (BigInt(position) >= until) return;
  const publish: RelayOptions['publish'] = async (of, ...told) => {
    if (of === topic) await bus.publishTo(group, topic, ...told);
  };
  const relay = createRelay({ store: following.store, publishers, publish });
  const handle: Handle = (events) => relay(events.filter((event) => event.position <= until));
  const follower = startLeasedFollower({ ...following, name, handle });
  while (!stopped.aborted && !(await follower.waitFor(until, 1_000)));
  await follower.stop();
}
