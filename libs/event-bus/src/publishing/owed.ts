import type { Collection, Doc } from '@svc/document-store';
import type { SubscriptionContext } from '@svc/event-store';
import type { Position } from '@svc/kernel';
import type { Subscription } from '../consumes.ts';

/** `_id`: group and topic. `until`: up to where the group is fed by a subscription of its own, as decimal text. */
export interface KnownGroup extends Doc {
  until: string;
}

export interface OwedOptions {
  subscribing: SubscriptionContext;
  known: Collection<KnownGroup>;
  /** The relay's checkpoint. */
  relay: string;
}

/** What a group is owed of a topic: all between `done` and `until`. Both only rise, and what an earlier process wrote never overwrites. */
export interface Owed {
  readonly done: Position;
  readonly until: Position;
  /** Whether `done` is stored. */
  readonly isStored: boolean;
  /** Counts at once; resolves when it is stored. Called again after a failure it stores what is missing. */
  owe(until: Position): Promise<void>;
  /** The group is through with everything up to here. Counts at once, and is stored, in the same way. */
  through(done: Position): Promise<void>;
}

/**
 * Reads what a group is owed: its own checkpoint is `publishing.<group>.<topic>`. A group that nobody knew is owed everything up to where the
 * relay stands.
 */
export async function readOwed({ subscribing, known, relay }: OwedOptions, { group, topic }: Subscription): Promise<Owed> {
  const { checkpoints } = subscribing;
  const [_id, name] = [`${group} ${topic}`, `publishing.${group}.${topic}`];
  const positionOf = async (checkpoint: string): Promise<string> => (await checkpoints.get(checkpoint))?.position ?? '0';
  await known.insert({ _id, version: 1, until: await positionOf(relay) });
  let until = BigInt((await known.get(_id))?.until ?? 0);
  let done = BigInt(await positionOf(name));
  const stored = { until, done };
  return {
    get done() {
      return done;
    },
    get until() {
      return until;
    },
    get isStored() {
      return stored.done >= done;
    },
    async owe(more) {
      if (more > until) until = more;
      const upto = until;
      if (upto <= stored.until) return;
      await known.write([{ put: { _id, version: Number(upto) + 2, until: String(upto) } }]);
      if (upto > stored.until) stored.until = upto;
    },
    async through(position) {
      if (position > done) done = position;
      const upto = done;
      if (upto <= stored.done) return;
      await checkpoints.write([{ put: { _id: name, version: Number(upto) + 1, position: String(upto) } }]);
      if (upto > stored.done) stored.done = upto;
    },
  };
}
