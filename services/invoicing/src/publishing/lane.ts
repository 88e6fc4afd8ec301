import type { PublicEvent, Topic } from '@svc/contracts/events/envelope';
import type { Collection, Doc } from '@svc/documents';
import type { EventBus, Subscription } from '@svc/event-bus';
import type { HandleBatch } from '@svc/event-store';
import type { Position } from '@svc/kernel';
import { measureLag } from '@svc/service-kit/telemetry/follower-lag';
import type { FollowingContext } from '../following/following.ts';
import type { Publisher } from './publisher.ts';
import { createRelay } from './relay.ts';

/** A bus that keeps nothing. A broker keeps what a group has not handled, and has no such methods. */
export interface ForgetfulBus extends EventBus {
  /** Complete once the bus listens. */
  groups(): Subscription[];
  /** `retries` is called when the group failed and is about to be tried again, which takes seconds. */
  publishTo(group: string, topic: Topic, events: PublicEvent[], positions: Position[], retries?: () => void): Promise<void>;
}

/** `_id`: group and topic. `until`: up to where the group is fed by a subscription of its own, as decimal text. */
export interface KnownGroup extends Doc {
  until: string;
}

export interface LaneOptions {
  following: FollowingContext;
  bus: ForgetfulBus;
  publishers: readonly Publisher[];
  known: Collection<KnownGroup>;
  /** The relay's checkpoint. */
  relay: string;
  stopped: AbortSignal;
}

/** One group on one topic, which the relay publishes to, or while it is behind a subscription of its own. */
export interface Lane extends Subscription {
  /** Resolves when the group is through with the events, or when it is noted that it is owed them. */
  publish(events: PublicEvent[], positions: Position[]): Promise<void>;
  stop(): Promise<void>;
}

/** A group that takes longer than this for a batch falls behind, like one that retries: the others do not wait for it. */
const PATIENCE_MS = 1_000;

/**
 * Opens a lane. What a group is owed is all between its own checkpoint (`publishing.<group>.<topic>`) and `until`; a new group is owed
 * everything up to where the relay stands. While a group is owed something the relay publishes nothing to it, and puts `until` forward
 * before its own checkpoint moves: a crash loses nothing. The lane's subscription hands over what is owed, in order, and when that is
 * all, the two have met and the relay goes on.
 */
export async function openLane(options: LaneOptions, { group, topic }: Subscription): Promise<Lane> {
  const { following, bus, publishers, known, relay, stopped } = options;
  const { checkpoints, store, clock, logger } = following;
  const [_id, name] = [`${group} ${topic}`, `publishing.${group}.${topic}`];
  const positionOf = async (checkpoint: string): Promise<string> => (await checkpoints.get(checkpoint))?.position ?? '0';
  await known.insert({ _id, version: 1, until: await positionOf(relay) });
  const noted = BigInt((await known.get(_id))?.until ?? 0);
  const owed = { until: noted, noted };
  let done = BigInt(await positionOf(name));
  let isBehind = false;
  let feeding: Promise<void> | undefined;

  /** Both only ever rise: what an earlier one wrote never overwrites. */
  async function noteOwed(): Promise<void> {
    const { until } = owed;
    if (until <= owed.noted) return;
    await known.write([{ put: { _id, version: Number(until) + 2, until: String(until) } }]);
    owed.noted = until;
  }
  const saveDone = (position: Position): Promise<void> =>
    checkpoints.write([{ put: { _id: name, version: Number(position) + 1, position: String(position) } }]);

  /** `handed`: whether the group is through with what it had in hand when it fell behind. */
  async function feed(handed: Promise<boolean>): Promise<void> {
    const since = clock.now();
    const unmeasure = measureLag(`invoicing.${name}`, async () => (clock.now() - since) / 1_000);
    const upto = owed.until;
    if (await orStopped(handed, stopped).catch(() => false)) {
      await saveDone(upto).catch(() => undefined); // unsaved it is repeated after a crash
      done = upto;
    }
    if (done >= owed.until) isBehind = false;
    else if (!stopped.aborted) await catchUp();
    unmeasure();
  }

  /** Resolves when the group is owed nothing, in the same turn, or when publishing stops. */
  function catchUp(): Promise<void> {
    const met = Promise.withResolvers<void>();
    const handOver = createRelay({
      ...{ store, publishers, letters: bus.letters },
      publish: async (of, events, positions) => {
        if (of === topic) await orStopped(bus.publishTo(group, topic, events, positions), stopped);
      },
    });
    let over = false;
    const take: HandleBatch = async ({ events, position }) => {
      while (!over) {
        const due = events.filter((event) => event.position > done && event.position <= owed.until);
        const reached = position < owed.until ? position : owed.until;
        if (due.length === 0 && reached <= done) break;
        await handOver(due);
        await saveDone(reached);
        done = reached;
      }
      if (over || done < owed.until) return;
      over = true;
      isBehind = false; // in this turn: what the relay has next, it publishes itself
      met.resolve();
    };
    const stop = store.follow(done === 0n ? 'start' : done, (batch) =>
      take(batch).catch((error: unknown) => {
        if (!stopped.aborted) logger.warn({ group, topic, err: error }, 'what a group is owed was not handed over, and will be again');
        throw error;
      }),
    );
    const end = (): void => met.resolve();
    stopped.addEventListener('abort', end, { once: true });
    return met.promise.then(() => {
      stopped.removeEventListener('abort', end);
      over = true;
      return stop();
    });
  }

  function fallBehind(handed: Promise<boolean>): void {
    isBehind = true;
    feeding = feed(handed).catch((error: unknown) => {
      // Until a restart the group is owed what comes; nothing is lost.
      logger.error({ group, topic, err: error }, 'a group that is behind cannot be fed');
    });
  }

  if (done < owed.until) fallBehind(Promise.resolve(false));
  return {
    group,
    topic,
    async publish(events, positions) {
      const [from, to] = [(positions[0] ?? 0n) - 1n, positions.at(-1) ?? 0n];
      if (isBehind) {
        if (to > owed.until) owed.until = to; // before anything is waited for: the subscription must not think that it is through
        return noteOwed();
      }
      const slow = Promise.withResolvers<'slow'>();
      const handed = bus.publishTo(group, topic, events, positions, () => slow.resolve('slow'));
      handed.catch(() => undefined); // it is asked for below
      const cancel = clock.after(PATIENCE_MS, () => slow.resolve('slow'));
      if ((await Promise.race([handed, slow.promise]).finally(cancel)) !== 'slow') return;
      if (from > done) await saveDone((done = from));
      owed.until = to > owed.until ? to : owed.until;
      await noteOwed();
      logger.warn({ group, topic, from: String(from) }, 'a group falls behind, and is fed by a subscription of its own');
      fallBehind(
        handed.then(
          () => true,
          () => false,
        ),
      );
    },
    async stop() {
      await feeding;
    },
  };
}

/** Rejects when publishing stops: a group may retry until a server is back. */
const orStopped = <T>(work: Promise<T>, stopped: AbortSignal): Promise<T> => {
  work.catch(() => undefined);
  return new Promise<T>((resolve, reject) => {
    const stop = (): void => reject(new Error('publishing stops'));
    if (stopped.aborted) stop();
    stopped.addEventListener('abort', stop, { once: true });
    void work.then(resolve, reject).finally(() => stopped.removeEventListener('abort', stop));
  });
};
