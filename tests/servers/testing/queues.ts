import { eventually, topicsOf, withKafka, type NamespacedServers } from '@svc/testkit';
import type { Admin } from 'kafkajs';

export interface Consumption {
  group: string;
  topic: string;
  /** Messages that the group has not handled yet. */
  lag: number;
}

/** The lag of each consumer group of the namespace. */
export function consumption(servers: NamespacedServers): Promise<Consumption[]> {
  return withKafka(servers, async (admin) => {
    const all: Consumption[] = [];
    const { groups } = await admin.listGroups();
    for (const { groupId } of groups.filter(({ groupId: id }) => id.startsWith(`${servers.namespace}.`)))
      for (const { topic, partitions } of await admin.fetchOffsets({ groupId })) {
        const ends = new Map((await admin.fetchTopicOffsets(topic)).map(({ partition, low, high }) => [partition, { low, high }]));
        const lag = partitions.reduce((sum, { partition, offset }) => {
          const { low = '0', high = '0' } = ends.get(partition) ?? {};
          return sum + Number(high) - Math.max(Number(low), Number(offset));
        }, 0);
        all.push({ group: groupId, topic, lag });
      }
    return all;
  });
}

/** The same of the groups that have members: one of a release that does not run reads nothing. */
export async function livingConsumption(servers: NamespacedServers): Promise<Consumption[]> {
  const all = await consumption(servers);
  const names = [...new Set(all.map(({ group }) => group))];
  if (names.length === 0) return all;
  const { groups } = await withKafka(servers, (admin) => admin.describeGroups(names));
  const living = new Set(groups.flatMap(({ groupId, members }) => (members.length > 0 ? [groupId] : [])));
  return all.filter(({ group }) => living.has(group));
}

/** Number of messages published to the topics of the namespace. */
export function published(servers: NamespacedServers): Promise<number> {
  return withKafka(servers, async (admin) => {
    let sum = 0;
    for (const topic of await topicsOf(admin, servers)) for (const { high } of await admin.fetchTopicOffsets(topic)) sum += Number(high);
    return sum;
  });
}

/** Resets every group of the namespace to the first message, once it has no members; a killed member stays one for a while. */
export async function consumeFromTheBeginning(servers: NamespacedServers): Promise<void> {
  const reset = (admin: Admin) => async () => {
    for (const { group, topic } of await consumption(servers)) await admin.resetOffsets({ groupId: group, topic, earliest: true });
    return true;
  };
  await withKafka(servers, (admin) => eventually(reset(admin), 'groups without members'));
}
