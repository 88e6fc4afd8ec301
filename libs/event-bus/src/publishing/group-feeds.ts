import type { PublicEvent } from '@svc/contracts/events/envelope';
import { allDone } from '@svc/kernel';
import { openGroupFeed, type GroupFeed, type GroupFeedOptions } from './group-feed.ts';
import { adoptGroups } from './backlog.ts';
import type { PublishTo } from './publication.ts';

export type { FedGroups } from './catch-up.ts';

export interface GroupFeeds {
  /** Publishes to each group of the topic; no group waits for another. */
  publish: PublishTo;
  /** The relay has finished its batch. */
  endOfBatch(): void;
  stop(): Promise<void>;
}

/** A feed for each group on each of these topics, opened once the bus listens and knows all groups. */
export function startGroupFeeds(options: Omit<GroupFeedOptions, 'stopped'> & { topics: readonly string[] }): GroupFeeds {
  const { bus, topics } = options;
  const stopping = new AbortController();
  const stopped = new Promise<never>((_, reject) => stopping.signal.addEventListener('abort', () => reject(new Error('publishing stops'))));
  stopped.catch(() => undefined);
  let opening: Promise<GroupFeed[]> | undefined;
  let opened: GroupFeed[] = [];

  async function open(): Promise<GroupFeed[]> {
    await Promise.race([bus.listens(), stopped]);
    const groups = bus.groups().filter(({ topic }) => topics.includes(topic));
    await adoptGroups(options, groups);
    return (opened = await Promise.all(groups.map((group) => openGroupFeed({ ...options, stopped: stopping.signal }, group))));
  }
  const feeds = (): Promise<GroupFeed[]> =>
    (opening ??= open().catch((error: unknown) => {
      opening = undefined;
      throw error;
    }));
  feeds().catch(() => undefined); // the relay retries

  return {
    async publish(topic: string, events: PublicEvent[], positions) {
      const all = await feeds();
      await allDone(all.filter((feed) => feed.topic === topic).map((feed) => feed.publish(events, positions)));
    },
    endOfBatch() {
      for (const feed of opened) feed.endOfBatch();
    },
    async stop() {
      stopping.abort();
      await Promise.all((await opening?.catch(() => []))?.map((feed) => feed.stop()) ?? []);
    },
  };
}
