import type { Collection, Doc } from '@svc/document-store';
import type { SubscriptionContext } from '@svc/event-store';
import type { Position } from '@svc/kernel';
import type { Subscription } from '../consumes.ts';

/** `_id`: group and topic. `until`: the position up to which a subscription feeds the group, as decimal text. */
export interface KnownGroup extends Doc {
  until: string;
}

export interface BacklogOptions {
  subscribing: SubscriptionContext;
  known: Collection<KnownGroup>;
  /** The relay's checkpoint. */
  relay: string;
}

/** The events of a topic that a group has yet to receive: all between `done` and `until`. Both only rise, and no write of an earlier process lowers them. */
export interface Backlog {
  readonly done: Position;
  readonly until: Position;
  /** Whether `done` is stored. */
  readonly isStored: boolean;
  /** Raises `until` at once; resolves when it is stored. Calling it after a failure stores what is missing. */
  extend(until: Position): Promise<void>;
  /** Raises `done` at once, since the group has handled everything up to it; stores it in the same way. */
  advance(done: Position): Promise<void>;
}

/** until 0.3: release 0.1.0 fed the groups of some sources by the relay alone: they have handled everything up to its position, and are not new. */
export async function adoptGroups({ subscribing, known, relay }: BacklogOptions, groups: readonly Subscription[]): Promise<void> {
  const { checkpoints } = subscribing;
  const at = await checkpoints.get(relay);
  if (!at || (await known.count({})) > 0) return;
  const { version, position } = at;
  await checkpoints.write(groups.map(({ group, topic }) => ({ put: { _id: checkpointOf({ group, topic }), version, position } })));
}

const checkpointOf = ({ group, topic }: Subscription): string => `publishing.${group}.${topic}`;

/**
 * Reads a group's backlog; its checkpoint is `publishing.<group>.<topic>`. The backlog of a new group is everything up to the relay's
 * position.
 */
export async function readBacklog({ subscribing, known, relay }: BacklogOptions, { group, topic }: Subscription): Promise<Backlog> {
  const { checkpoints } = subscribing;
  const [_id, name] = [`${group} ${topic}`, checkpointOf({ group, topic })];
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
    async extend(more) {
      if (more > until) until = more;
      const upto = until;
      if (upto <= stored.until) return;
      await known.write([{ put: { _id, version: Number(upto) + 2, until: String(upto) } }]);
      if (upto > stored.until) stored.until = upto;
    },
    async advance(position) {
      if (position > done) done = position;
      const upto = done;
      if (upto <= stored.done) return;
      await checkpoints.write([{ put: { _id: name, version: Number(upto) + 1, position: String(upto) } }]);
      if (upto > stored.done) stored.done = upto;
    },
  };
}
