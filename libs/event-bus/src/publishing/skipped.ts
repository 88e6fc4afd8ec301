import { compareAndSet, type Collection } from '@svc/document-store';
import { iso, OutcomeUnknown, UnknownEvent, type Recorded, type Streams } from '@svc/kernel';
import { lineOf, type DeadLetter } from '../dead-letter.ts';
import type { HeldLetter } from '../dead-letters/hold-letter.ts';
import { insertLetter, messageOf, type KeepingLetters } from '../dead-letters/keep-letter.ts';
import type { LetterBook } from '../dead-letters/letter-book.ts';
import { CannotPublish, gather, type PublicationsOf, type PublishTo } from './publication.ts';

export interface SkippedOptions {
  /** The group whose dead letters hold what was left out. */
  group: string;
  letters: LetterBook;
  store: Pick<Streams, 'read'>;
  publications: PublicationsOf;
  publish: PublishTo;
}

/** A range of events of one stream that a relay leaves out. `failure`: why; undefined where it waits behind others. */
export interface Skipped {
  first: Recorded;
  last: Recorded;
  failure?: CannotPublish;
}

/** Whether the rest of the stream waits for a release that knows the next event. */
export const waits = ({ failure }: Skipped): boolean => failure === undefined || failure.cause instanceof UnknownEvent;

/** The `event` of such a letter. The range is extended by later events of the stream, which are published in their turn. */
interface Range {
  stream: string;
  /** Revisions, in decimal text. */
  from: string;
  upto: string;
}

const STORE = 'store';
const lineOfStream = (stream: string): string => lineOf(STORE, stream);
const rangeOf = ({ event }: DeadLetter): Range => event as Range;
const first = async (letters: Collection<DeadLetter>, stream: string): Promise<DeadLetter | undefined> =>
  (await Array.fromAsync(letters.find({ line: lineOfStream(stream) }, { sort: { order: 1 }, limit: 1 })))[0];

/** The revisions from which the streams of these events are left out. Read from the store each time: another replica may have published them. */
export async function skippedFrom(letters: Collection<DeadLetter>, events: Recorded[]): Promise<Map<string, bigint>> {
  const streams = [...new Set(events.map(({ stream }) => stream))];
  const out = new Map<string, bigint>();
  if (streams.length === 0 || (await letters.count({ line: { $in: streams.map(lineOfStream) } })) === 0) return out;
  for (const stream of streams) {
    const letter = await first(letters, stream);
    if (letter) out.set(stream, BigInt(rangeOf(letter).from));
  }
  return out;
}

/**
 * Stores what is skipped, so that the relay may go on: in the stream's waiting letter or in a new one. Relays of one process that skip the same
 * stream share the letter. Rejects when it cannot be stored, also where other processes keep changing the letter.
 */
export const skipStream = (book: LetterBook, group: string, out: Skipped): Promise<void> =>
  book.turns.add(`${group} ${out.first.stream}`, () => keepSkipped(book.options, group, out));

async function keepSkipped(keeping: KeepingLetters, group: string, out: Skipped): Promise<void> {
  const letters = keeping.deadLetters(group);
  const waiting = waits(out) ? await first(letters, out.first.stream) : undefined;
  const grown = (letter: DeadLetter): Partial<DeadLetter> | undefined => {
    const range = rangeOf(letter);
    return BigInt(range.upto) < out.last.revision ? { event: { ...range, upto: String(out.last.revision) } } : undefined;
  };
  // Deleted: its events were published meanwhile.
  const kept = waiting && (await compareAndSet(letters, waiting._id, { absent: () => undefined, change: grown })).doc;
  if (!kept) await insertLetter(keeping, letterOf(keeping, group, out));
}

function letterOf({ clock }: KeepingLetters, group: string, out: Skipped): DeadLetter {
  const { stream, revision, position, type } = out.first;
  const event: Range = { stream, from: String(revision), upto: String(out.last.revision) };
  const why = waits(out) ? ({ reason: 'unknown_type', line: lineOfStream(stream) } as const) : ({ reason: 'failed', line: null } as const);
  return {
    // An existing letter with this id has the same beginning and at least these events.
    _id: `${group}:${stream}@${event.from}-${event.upto}:${why.reason}`,
    ...{ version: 1, group, topic: STORE, subject: null, event, ...why, held_until: 0 },
    ...{ event_type: type, event_subject: stream.slice(stream.lastIndexOf('.') + 1), order: Number(revision) },
    position: null,
    error: out.failure ? messageOf(out.failure) : 'it waits behind others of its stream',
    origin: `${STORE}:${position}`,
    at: iso(clock.now()),
  };
}

const AT_ONCE = 10;

/**
 * Publishes what was left out, in order. An event whose mapping fails becomes a dead letter of its own, and the rest follows. Progress is
 * stored after every few events: after a crash another process continues there. Throws `UnknownEvent` where this release cannot continue,
 * `OutcomeUnknown` where the bus does not answer, another process holds the letter, or a read of the store lags.
 */
export async function publishSkipped(options: SkippedOptions, held: HeldLetter): Promise<void> {
  const { group, letters, store } = options;
  for (;;) {
    const { stream, from, upto } = rangeOf(held.letter);
    if (BigInt(from) > BigInt(upto)) return;
    const stored = await store.read(stream, BigInt(from), AT_ONCE);
    if (stored[0]?.revision !== BigInt(from)) throw missing(stream, BigInt(from), stored);
    const events = stored.filter(({ revision }) => revision <= BigInt(upto));
    const { failed, stopped } = await publishEvents(options, events);
    const isOfOneEvent = held.letter.reason === 'failed' && from === upto;
    if (isOfOneEvent && failed[0]) throw failed[0].failure as CannotPublish; // this letter is already about the event
    for (const one of failed) await skipStream(letters, group, one);
    const next = stopped?.first.revision ?? BigInt(from) + BigInt(events.length);
    const change = { ...(stopped && { event_type: stopped.first.type }) };
    if (next > BigInt(from)) await held.save((letter) => ({ ...change, event: { ...rangeOf(letter), from: String(next) } }));
    if (stopped) throw (stopped.failure as CannotPublish).cause;
  }
}

/** `failed`: events whose mapping fails. `stopped`: the first that this release does not know; those after it are not tried. */
async function publishEvents(
  { publications, publish }: SkippedOptions,
  events: Recorded[],
): Promise<{ failed: Skipped[]; stopped?: Skipped }> {
  const inHand = gather((...given) => publish(...given).catch(uncertain));
  const failed: Skipped[] = [];
  for (const recorded of publications.each(events)) {
    try {
      await inHand.add(recorded, await publications.of(recorded));
    } catch (error) {
      if (!(error instanceof CannotPublish)) throw error;
      const left = { first: recorded, last: recorded, failure: error };
      if (waits(left)) {
        await inHand.publish();
        return { failed, stopped: left };
      }
      failed.push(left);
    }
  }
  await inHand.publish();
  return { failed };
}

/** A letter names events that were read before: a read that ends before them lags, one that begins after them shows that they were deleted. */
const missing = (stream: string, from: bigint, read: Recorded[]): Error =>
  read.length === 0
    ? new OutcomeUnknown(`${stream} has no event ${from} yet`)
    : new Error(`${stream} has no event ${from}: it begins behind it`);

const uncertain = (error: unknown): never => {
  throw new OutcomeUnknown('it is not certain that the bus has it', { cause: error });
};
