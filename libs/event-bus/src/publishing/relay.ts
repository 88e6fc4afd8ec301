import type { Recorded } from '@svc/kernel';
import { publisherOf, type DeadLetterQueues } from '../dead-letters/queues.ts';
import { skipStream, skippedFrom, publishSkipped, waits, type Skipped } from './skipped.ts';
import { CannotPublish, gather, type PublishTo, publicationsFrom, type PublicationsFromOptions } from './publication.ts';

export interface RelayOptions extends PublicationsFromOptions {
  /** The group `<source>.publishing` holds what cannot be published. */
  deadLetters: DeadLetterQueues;
  publish: PublishTo;
}

/**
 * A subscription's handler that publishes each stored event with the state after it, by its category's publisher, in the order of the
 * store. A batch that fails is published again, in the same bytes. A stream whose next event this release cannot publish is skipped from
 * there on and waits as a dead letter until a process publishes it; all other streams continue. An event whose mapping fails by a defect
 * becomes a dead letter alone.
 */
export function createRelay(options: RelayOptions): (events: Recorded[]) => Promise<void> {
  const { deadLetters, publish } = options;
  const group = publisherOf(options);
  const publications = publicationsFrom(options);
  return async (events) => {
    const before = await skippedFrom(deadLetters.of(group), events);
    const out = new Map<string, Skipped>();
    const failed: Skipped[] = [];
    const inHand = gather(publish);
    const isOut = ({ stream, revision }: Recorded): boolean => {
      const from = before.get(stream);
      return out.has(stream) || (from !== undefined && revision >= from);
    };
    for (const recorded of publications.each(events, (next) => !isOut(next))) {
      const { stream } = recorded;
      const known = out.get(stream);
      if (known) known.last = recorded;
      else if (isOut(recorded)) out.set(stream, { first: recorded, last: recorded });
      else {
        try {
          await inHand.add(recorded, await publications.of(recorded));
        } catch (error) {
          if (!(error instanceof CannotPublish)) throw error;
          const left = { first: recorded, last: recorded, failure: error };
          if (waits(left)) out.set(stream, left);
          else failed.push(left);
        }
      }
    }
    await inHand.publish();
    // After publishing: a process that publishes the dead letter at once must not overtake the stream's earlier events.
    for (const stream of [...out.values(), ...failed]) await skipStream(deadLetters, group, stream);
  };
}

/** Publishes what a relay skipped, once a release knows it or an operator requests it. */
export function publishesSkipped(options: RelayOptions): void {
  const group = publisherOf(options);
  const skippedOptions = { ...options, group, publications: publicationsFrom(options) };
  options.deadLetters.add(group, { again: (held) => publishSkipped(skippedOptions, held), knows: () => true });
}
