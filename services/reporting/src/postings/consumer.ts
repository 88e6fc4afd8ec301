import { Controller, Inject } from '@nestjs/common';
import { Payload } from '@nestjs/microservices';
import { topics, type PublicEvent } from '@svc/contracts/events/envelope';
import { Consumes } from '@svc/event-bus';
import { REPORTING, type ReportingContext } from './context.ts';
import type { DocumentEvent } from './figures-of.ts';
import { type EntryEvent, stepOf } from './posting-of.ts';
import { GROUP, type Posting } from './posting.ts';
import { heldEvent } from './held-event.ts';
import type { KnownDocument } from './known-document.ts';
import { markBlocks } from './mark-blocks.ts';

/** Types of the events that carry a whole document in the shape that `stepOf` reads. */
const KNOWN = /^invoicing\.(invoice|receipt)-[a-z]+\.v1$/;

/** Turns public events into postings. */
@Controller()
export class PostingsConsumer {
  constructor(@Inject(REPORTING) private readonly context: ReportingContext) {}

  /** until 0.3: `history` has the events of release 0.1.0, which published them without an entry. */
  @Consumes({ group: GROUP, topic: topics.invoice }, { group: GROUP, topic: topics.receipt }, { group: GROUP, topic: topics.history })
  async documents(@Payload() events: PublicEvent[]): Promise<void> {
    const known = events.filter(({ type, subject }) => {
      if (KNOWN.test(type)) return true;
      this.context.logger.warn({ type, subject }, 'an event of a type that this release does not know was skipped');
      return false;
    }) as DocumentEvent[];
    await recordEvents(this.context, known.filter(hasEntry));
  }
}

const hasEntry = (event: DocumentEvent): event is EntryEvent => event.entry !== undefined;

/** Where events are recorded. */
type Recording = Pick<ReportingContext, 'postings' | 'known' | 'held' | 'blocks' | 'clock'>;

/** One document's part of a batch. */
interface Work {
  /** As of the last line that follows without a gap. */
  known: KnownDocument | undefined;
  postings: Posting[];
  /** Events that wait for an earlier line. */
  waiting: EntryEvent[];
}

/**
 * Records events of documents, in any order and as often as they come. An event whose line is known changes nothing; one that comes before an earlier
 * line is held until that one is recorded. Postings are stored before their blocks are marked, and these before how far the document is
 * known, so that a crash in between repeats the same.
 */
async function recordEvents(ledger: Recording, events: readonly EntryEvent[]): Promise<void> {
  const byDocument = Map.groupBy(events, ({ subject }) => subject);
  await store(ledger, await Promise.all([...byDocument].map(async ([document, own]) => workOn(await ledger.known.get(document), own))));
  // Read after what is known was written: of two replicas, of which one holds an event and the other records the line before it, one sees the other's row.
  const [anyHeld] = await Array.fromAsync(ledger.held.find({}, { limit: 1 }));
  if (anyHeld) for (const document of byDocument.keys()) await recordHeld(ledger, document);
}

/** The lines that follow those that are known, without a gap; the others wait. */
function workOn(before: KnownDocument | undefined, events: readonly EntryEvent[]): Work {
  const work: Work = { known: before, postings: [], waiting: [] };
  for (const event of events.toSorted((a, b) => a.entry.line - b.entry.line)) {
    const last = work.known?.version ?? 0;
    if (event.entry.line > last + 1) work.waiting.push(event);
    if (event.entry.line !== last + 1) continue;
    const { known, posting } = stepOf(work.known, event);
    work.known = known;
    if (posting) work.postings.push(posting);
  }
  return work;
}

async function store(ledger: Recording, works: readonly Work[]): Promise<void> {
  const { postings, known, held } = ledger;
  const waiting = works.flatMap((work) => work.waiting);
  if (waiting.length > 0) await held.write(waiting.map((event) => ({ insert: heldEvent(event) })));
  const made = works.flatMap((work) => work.postings);
  if (made.length > 0) {
    await postings.write(made.map((insert) => ({ insert })));
    await markBlocks(ledger, made);
  }
  const changed = works.flatMap((work) => work.known ?? []);
  if (changed.length > 0) await known.write(changed.map((put) => ({ put })));
}

/** Records the held events of a document that wait no longer, and deletes those that are known. */
async function recordHeld(ledger: Recording, document: string): Promise<void> {
  const rows = await Array.fromAsync(ledger.held.find({ document }, { sort: { line: 1 } }));
  if (rows.length === 0) return;
  const work = workOn(
    await ledger.known.get(document),
    rows.map(({ event }) => event),
  );
  await store(ledger, [{ ...work, waiting: [] }]);
  const last = work.known?.version ?? 0;
  const done = rows.filter(({ line }) => line <= last);
  if (done.length > 0) await ledger.held.write(done.map(({ _id }) => ({ delete: _id })));
}
