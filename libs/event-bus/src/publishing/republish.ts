import type { Topic } from '@svc/contracts/events/envelope';
import { CannotPublish, gather, publicationsFrom, type PublicationsFromOptions, type PublishTo } from './publication.ts';

interface RepublishOptions extends PublicationsFromOptions {
  /** Of the history. */
  topic: Topic;
  publish: PublishTo;
}

/** `published`: events; `failed`: stored events of which this release can make none. Both 0: there is no such stream, or it has nothing to publish. */
export interface Republished {
  published: number;
  failed: number;
}

const AT_ONCE = 100;

/**
 * Publishes the events of a document with their entry once more on the topic of the history, as they were published, in their order. Groups that fold the
 * history ignore those that they have. Resolves when the bus has them; rejects when that is not certain: repeat it.
 */
export async function republish({ topic, publish, ...options }: RepublishOptions, stream: string): Promise<Republished> {
  const publications = publicationsFrom(options);
  const inHand = gather(publish);
  const counts: Republished = { published: 0, failed: 0 };
  for (let from = 0n; ;) {
    const stored = await options.store.read(stream, from, AT_ONCE);
    for (const recorded of publications.each(stored)) {
      try {
        const { events, bytes } = await publications.of(recorded);
        const again = events.flatMap(({ event }) => (event.entry ? [{ topic, event }] : []));
        counts.published += again.length;
        await inHand.add(recorded, { events: again, bytes });
      } catch (error) {
        if (!(error instanceof CannotPublish)) throw error;
        counts.failed += 1;
      }
    }
    if (stored.length < AT_ONCE) break;
    from += BigInt(stored.length);
  }
  await inHand.publish();
  return counts;
}
