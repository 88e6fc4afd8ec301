import type { Doc, DocumentStore } from '@svc/document-store';
import type { SubscriptionContext } from '@svc/event-store';
import type { Subscription } from '../consumes.ts';
import { RELAY } from './start-relay.ts';

/** The checkpoint of a group on one topic. */
export const checkpointOf = ({ group, topic }: Subscription): string => `${RELAY}.${group}.${topic}`;

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
export async function adoptGroups({ subscribing: { checkpoints }, documents }: Adopting, groups: readonly Subscription[]): Promise<void> {
  const relay = await checkpoints.get(RELAY);
  if (!relay) return;
  const { version, position } = relay;
  const known = new Map<string, bigint>();
  for await (const { _id, until } of documents.collection<Doc & { until: string }>('consumer_groups').find({}))
    known.set(_id, BigInt(until));
  const isUpToDate = async (one: Subscription): Promise<boolean> => {
    const until = known.get(`${one.group} ${one.topic}`);
    if (until === undefined) return known.size === 0 && !IS_REBUILT.test(one.group);
    return BigInt((await checkpoints.get(checkpointOf(one)))?.position ?? 0) >= until;
  };
  const upToDate = (await Promise.all(groups.map(async (one) => ((await isUpToDate(one)) ? [one] : [])))).flat();
  await checkpoints.write([...upToDate.map((one) => ({ put: { _id: checkpointOf(one), version, position } })), { delete: RELAY }]);
}
