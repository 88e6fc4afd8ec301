import type { EventStore } from '@svc/event-store';
import type { Recorded } from '@svc/kernel';

/** At most so many problems are named; the rest is counted. */
const MOST_NAMED = 50;

/** What is wrong, in words for an operator. */
export class Problems {
  readonly named: string[] = [];
  count = 0;

  add(problem: string): void {
    this.count += 1;
    if (this.named.length < MOST_NAMED) this.named.push(problem);
  }
}

export interface VerifiedEvents {
  events: number;
  /** Streams by category: `invoice`, `series`. */
  streams: Record<string, number>;
  /** Numbers that series have assigned. */
  numbers: number;
  /** Numbers whose document has not noted them yet, as after a crash between the two. */
  unnoted: number;
  /** Links of chains of fiscal records. */
  links: number;
}

/** The events by which documents note their numbers. */
const NUMBERED = ['InvoiceNumbered', 'ReceiptIssued', 'ReceiptReversalIssued'];

/** Data of the stored events that are checked here, as their services write it. */
interface NumberTaken {
  document: string;
  seq: number;
  number: string;
}
interface RecordChained {
  operation: 'register' | 'cancel' | 'restart';
  position: number;
  hash: string;
  previous: { hash: string } | null;
}

/**
 * Reads every event, personal data included, and adds to `problems` what cannot be: a count that is assigned twice or out of order,
 * a document with another number than its series assigned, a chain whose links do not follow each other, data that no key decrypts.
 */
export async function verifyEvents(store: VerifiedStore, problems: Problems): Promise<VerifiedEvents> {
  const found: VerifiedEvents = { events: 0, streams: {}, numbers: 0, unnoted: 0, links: 0 };
  const series = new Map<string, number>();
  const chains = new Map<string, RecordChained>();
  /** By document: what its series has assigned and it has not noted yet. */
  const taken = new Map<string, string>();

  const onNumber = ({ stream, data }: Recorded): void => {
    const { document, seq, number } = data as NumberTaken;
    const last = series.get(stream);
    if (last !== undefined && seq <= last) problems.add(`${stream} assigns ${seq} after ${last}`);
    series.set(stream, seq);
    found.numbers += 1;
    taken.set(document, number);
  };

  const onNumbered = ({ stream, data }: Recorded): void => {
    const { number } = data as { number: string };
    const document = stream.slice(stream.lastIndexOf('.') + 1);
    const assigned = taken.get(document);
    if (assigned !== number) problems.add(`${stream} has the number ${number}, and its series assigned ${assigned ?? 'none'}`);
    taken.delete(document);
  };

  const onLink = ({ stream, data }: Recorded): void => {
    const link = data as RecordChained;
    const last = chains.get(stream);
    // A chain that begins anew after a restore names no record before, and neither does the first one after that.
    const isFirst = link.operation === 'restart' || last?.operation === 'restart';
    if (link.position !== (last?.position ?? 0) + 1 || (link.previous?.hash ?? null) !== (isFirst ? null : (last?.hash ?? null)))
      problems.add(`${stream}: link ${link.position} does not follow link ${last?.position ?? 0}`);
    chains.set(stream, link);
    found.links += 1;
  };

  function onEvent(recorded: Recorded): void {
    const { stream, revision, type } = recorded;
    const category = stream.slice(0, stream.indexOf('-'));
    found.events += 1;
    if (revision === 0n) found.streams[category] = (found.streams[category] ?? 0) + 1;
    if (type === 'NumberTaken') onNumber(recorded);
    if (type === 'NumbersRaised') series.set(stream, (recorded.data as { seq: number }).seq);
    if (NUMBERED.includes(type)) onNumbered(recorded);
    if (type === 'RecordChained') onLink(recorded);
  }

  await eachEvent(store, onEvent, problems);
  found.unnoted = taken.size;
  return found;
}

/** What verifies personal data: `raw` has it encrypted, `opened` decrypts it as the services do. */
export interface VerifiedStore {
  raw: Pick<EventStore, 'subscribe'>;
  opened: Pick<EventStore, 'read'>;
  /** Resolves with the position behind which `raw` cannot read: it goes on trying. */
  unreadable: Promise<string>;
}

/** Ends at the last event, or at the first that cannot be read. */
async function eachEvent(
  { raw, opened, unreadable }: VerifiedStore,
  onEvent: (event: Recorded) => void,
  problems: Problems,
): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const stop = raw.subscribe('start', async ({ events, caughtUp }) => {
    try {
      for (const event of events) {
        onEvent(event);
        if (event.metadata.subject !== undefined) await openOne(opened, event, problems);
      }
    } catch (error) {
      problems.add(`an event cannot be read: ${String(error)}`);
      return resolve();
    }
    if (caughtUp) resolve();
  });
  await Promise.race([promise, unreadable.then((position) => problems.add(`the events after position ${position} cannot all be read`))]);
  void stop();
}

async function openOne(opened: Pick<EventStore, 'read'>, { stream, revision }: Recorded, problems: Problems): Promise<void> {
  try {
    await opened.read(stream, revision, 1);
  } catch {
    problems.add(`${stream}: no key decrypts the personal data of event ${revision}`);
  }
}
