import { compareAndSet, type Collection } from '@svc/document-store';
import { iso, OutcomeUnknown, UnknownEvent, type Recorded, type Streams } from '@svc/kernel';
import { hasAny, lineOf, tenantOf, type DeadLetter } from '../dead-letter.ts';
import type { HeldDeadLetter } from '../dead-letters/hold.ts';
import { insertDeadLetter, messageOf, type DeadLetterContext } from '../dead-letters/store.ts';
import type { DeadLetterQueues } from '../dead-letters/queues.ts';
import { CannotPublish, gather, type PublicationsOf, type PublishTo } from './publication.ts';

export interface SkippedOptions {
  /** The group whose dead letters hold what was skipped. */
  group: string;
  deadLetters: DeadLetterQueues;
  store: Pick<Streams, 'read'>;
  publications: PublicationsOf;
  publish: PublishTo;
}

/** A range of events of one stream that a relay skips. `failure`: why; undefined where it waits behind others. */
export interface Skipped {
  first: Recorded;
  last: Recorded;
  failure?: CannotPublish;
}

/** Whether the rest of the stream waits for a release that knows the next event. */
export const waits = ({ failure }: Skipped): boolean => failure === undefined || failure.cause instanceof UnknownEvent;

/** The `event` of such a dead letter. The range is extended by later events of the stream, which are published in their turn. */
interface Range {
  stream: string;
  /** Revisions, in decimal text. */
  from: string;
  upto: string;
}

const STORE = 'store';
const lineOfStream = (stream: string): string => lineOf(STORE, stream);
const rangeOf = ({ event }: DeadLetter): Range => event as Range;
const first = async (deadLetters: Collection<DeadLetter>, stream: string): Promise<DeadLetter | undefined> =>
  (await Array.fromAsync(deadLetters.find({ line: lineOfStream(stream) }, { sort: { order: 1 }, limit: 1 })))[0];

/** The revisions from which the streams of these events are skipped. Read from the store each time: another replica may have published them. */
export async function skippedFrom(deadLetters: Collection<DeadLetter>, events: Recorded[]): Promise<Map<string, bigint>> {
  const streams = [...new Set(events.map(({ stream }) => stream))];
  const out = new Map<string, bigint>();
  if (!(await hasAny(deadLetters)) || (await deadLetters.count({ line: { $in: streams.map(lineOfStream) } })) === 0) return out;
  for (const stream of streams) {
    const deadLetter = await first(deadLetters, stream);
    if (deadLetter) out.set(stream, BigInt(rangeOf(deadLetter).from));
  }
  return out;
}

/**
 * Stores what is skipped, so that the relay may go on: in the stream's waiting dead letter or in a new one. Relays of one process that skip the same
 * stream share the dead letter. Rejects when it cannot be stored, also where other processes keep changing the dead letter.
 */
export const skipStream = (queues: DeadLetterQueues, group: string, out: Skipped): Promise<void> =>
  queues.turns.add(`${group} ${out.first.stream}`, () => keepSkipped(queues.options, group, out));

async function keepSkipped(keeping: DeadLetterContext, group: string, out: Skipped): Promise<void> {
  const deadLetters = keeping.deadLetters(group);
  const waiting = waits(out) ? await first(deadLetters, out.first.stream) : undefined;
  const grown = (deadLetter: DeadLetter): Partial<DeadLetter> | undefined => {
    const range = rangeOf(deadLetter);
    return BigInt(range.upto) < out.last.revision ? { event: { ...range, upto: String(out.last.revision) } } : undefined;
  };
  // Deleted: its events were published meanwhile.
  const kept = waiting && (await compareAndSet(deadLetters, waiting._id, { absent: () => undefined, change: grown })).doc;
  if (!kept) await insertDeadLetter(keeping, deadLetterOf(keeping, group, out));
}

function deadLetterOf({ clock }: DeadLetterContext, group: string, out: Skipped): DeadLetter {
  const { stream, revision, position, type, recordedAt, metadata, data } = out.first;
  const event: Range = { stream, from: String(revision), upto: String(out.last.revision) };
  const why = waits(out) ? ({ reason: 'unknown_type', line: lineOfStream(stream) } as const) : ({ reason: 'failed', line: null } as const);
  return {
    // An existing dead letter with this id has the same beginning and at least these events.
    _id: `${group}:${stream}@${event.from}-${event.upto}:${why.reason}`,
    ...{ version: 1, group, topic: STORE, subject: null, event, ...why, held_until: 0 },
    ...{ event_type: type, event_subject: stream.slice(stream.lastIndexOf('.') + 1), order: Number(revision) },
    ...{ tenant: tenantOf(metadata), event_time: (data as { at?: string }).at ?? iso(recordedAt) },
    position: null,
    error: out.failure ? messageOf(out.failure) : 'it waits behind others of its stream',
    origin: `${STORE}:${position}`,
    at: iso(clock.now()),
  };
}

const AT_ONCE = 10;

/**
 * Publishes what was skipped, in order. An event whose mapping fails becomes a dead letter of its own, and the rest follows. Progress is
 * stored after every few events: after a crash another process continues there. Throws `UnknownEvent` where this release cannot continue,
 * `OutcomeUnknown` where the bus does not answer, another process holds the dead letter, or a read of the store lags.
 */
export async function publishSkipped(options: SkippedOptions, held: HeldDeadLetter): Promise<void> {
  const { group, deadLetters, store } = options;
  for (;;) {
    const { stream, from, upto } = rangeOf(held.deadLetter);
    if (BigInt(from) > BigInt(upto)) return;
    const stored = await store.read(stream, BigInt(from), AT_ONCE);
    if (stored[0]?.revision !== BigInt(from)) throw missing(stream, BigInt(from), stored);
    const events = stored.filter(({ revision }) => revision <= BigInt(upto));
    const { failed, stopped } = await publishEvents(options, events);
    const isOfOneEvent = held.deadLetter.reason === 'failed' && from === upto;
    if (isOfOneEvent && failed[0]) throw failed[0].failure as CannotPublish; // this dead letter is already about the event
    for (const one of failed) await skipStream(deadLetters, group, one);
    const next = stopped?.first.revision ?? BigInt(from) + BigInt(events.length);
    const change = { ...(stopped && { event_type: stopped.first.type }) };
    if (next > BigInt(from)) await held.save((deadLetter) => ({ ...change, event: { ...rangeOf(deadLetter), from: String(next) } }));
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

/** A dead letter names events that were read before: a read that ends before them lags, one that begins after them shows that they were deleted. */
const missing = (stream: string, from: bigint, read: Recorded[]): Error =>
  read.length === 0
    ? new OutcomeUnknown(`${stream} has no event ${from} yet`)
    : new Error(`${stream} has no event ${from}: it begins behind it`);

const uncertain = (error: unknown): never => {
  throw new OutcomeUnknown('it is not certain that the bus has it', { cause: error });
};
