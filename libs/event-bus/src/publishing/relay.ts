import type { Recorded, Streams } from '@svc/kernel';
import type { LetterBook } from '../dead-letters/letter-book.ts';
import { leaveOut, leftOut, publishLeftOut, waits, type LeftOut } from './left-out.ts';
import { CannotPublish, gather, type PublicationsOf, type PublishTo } from './publication.ts';

export interface RelayOptions {
  /** Whose dead letters take what cannot be published: `<source of its events>.publishing`. */
  group: string;
  letters: LetterBook;
  store: Pick<Streams, 'read'>;
  publicationsOf: PublicationsOf;
  publish: PublishTo;
}

/**
 * A subscription's handler that publishes: each stored event as `publicationsOf` says, in the order of the store. Whatever it did not
 * finish is published again, in the same bytes. A stream whose next event this release cannot publish is left out from there on, and
 * waits in the dead letters until a process that can takes it up; all other streams go on. A single event of which nothing can be made,
 * by an error of ours, is a dead letter by itself.
 */
export function createRelay({ group, letters, publicationsOf, publish }: RelayOptions): (events: Recorded[]) => Promise<void> {
  return async (events) => {
    const before = await leftOut(letters.of(group), events);
    const out = new Map<string, LeftOut>();
    const failed: LeftOut[] = [];
    const inHand = gather(publish);
    for (const recorded of events) {
      const { stream, revision } = recorded;
      const from = before.get(stream);
      const known = out.get(stream);
      if (known) known.last = recorded;
      else if (from !== undefined && revision >= from) out.set(stream, { first: recorded, last: recorded });
      else {
        try {
          await inHand.add(recorded, await publicationsOf(recorded));
        } catch (error) {
          if (!(error instanceof CannotPublish)) throw error;
          const left = { first: recorded, last: recorded, failure: error };
          if (waits(left)) out.set(stream, left);
          else failed.push(left);
        }
      }
    }
    await inHand.publish();
    // Only now: whoever takes a stream up at once must not be faster than what came before in it.
    for (const stream of [...out.values(), ...failed]) await leaveOut(letters.options, group, stream);
  };
}

/** Has what a relay left out published once a release knows it, or an operator asks for it. */
export const keepsLeftOut = (options: RelayOptions): void =>
  options.letters.add(options.group, { again: (held) => publishLeftOut(options, held), knows: () => true });
