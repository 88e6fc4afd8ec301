import type { ReportingContext } from './context.ts';
import { markBlocks } from './block.ts';
import { epochsOf } from './epoch.ts';
import { heldEvent } from './held-event.ts';
import type { KnownDocument } from './known-document.ts';
import { newestOf, partiesOf, type SeenParty } from './party.ts';
import { follows, stepOf, type EntryEvent } from './posting-of.ts';
import type { NewPosting, Posting } from './posting.ts';

/** Where events are recorded. */
type Recording = Pick<ReportingContext, 'postings' | 'known' | 'held' | 'epochs' | 'parties' | 'copies' | 'blocks' | 'clock'>;

/** One document's part of a batch. */
interface Work {
  /** As of the last line that follows without a gap. */
  known: KnownDocument | undefined;
  postings: NewPosting[];
  /** Of documents that count. */
  parties: SeenParty[];
  /** Events that wait for an earlier line. */
  waiting: EntryEvent[];
}

/**
 * Records events of documents, in any order and as often as they come. An event whose line is known changes nothing; one that comes before an earlier
 * line is held until that one is recorded. Postings are stored before their blocks are marked, and these before how far the document is
 * known, so that a crash in between repeats the same.
 */
export async function recordEvents(ledger: Recording, events: readonly EntryEvent[]): Promise<void> {
  const byDocument = Map.groupBy(events, ({ subject }) => subject);
  await store(ledger, await Promise.all([...byDocument].map(async ([document, own]) => workOn(await ledger.known.get(document), own))));
  // Read after what is known was written: of two replicas, of which one holds an event and the other records the line before it, one sees the other's row.
  const [anyHeld] = await Array.fromAsync(ledger.held.find({}, { limit: 1 }));
  if (anyHeld) for (const document of byDocument.keys()) await recordHeld(ledger, document);
}

/** The lines that follow those that are known, without a gap; the others wait. */
function workOn(before: KnownDocument | undefined, events: readonly EntryEvent[]): Work {
  const work: Work = { known: before, postings: [], parties: [], waiting: [] };
  for (const event of events.toSorted((a, b) => a.entry.line - b.entry.line)) {
    if (!follows(work.known, event)) {
      if (event.entry.line > (work.known?.version ?? 0)) work.waiting.push(event);
      continue;
    }
    const { known, posting } = stepOf(work.known, event);
    work.known = known;
    if (posting) work.postings.push(posting);
    if (posting?.change === 'registered') work.parties.push(...partiesOf(event));
  }
  return work;
}

async function store(ledger: Recording, works: readonly Work[]): Promise<void> {
  const { postings, known, held, epochs, parties, copies } = ledger;
  const waiting = works.flatMap((work) => work.waiting.map((event) => heldEvent(event, work.known)));
  if (waiting.length > 0) await held.write(waiting.map((insert) => ({ insert })));
  const made = works.flatMap((work) => work.postings);
  if (made.length > 0) {
    const epochOf = await epochsOf(epochs, made);
    const stored = made.map((posting): Posting => ({ ...posting, stored: epochOf(posting) }));
    await postings.write(stored.map((insert) => ({ insert })));
    await markBlocks(ledger, stored);
  }
  const seen = works.flatMap((work) => work.parties);
  if (seen.length > 0) {
    const shown = new Map(seen.map(({ copy }) => [copy._id, copy]));
    await copies.write([...shown.values()].map((insert) => ({ insert })));
    await parties.write(newestOf(seen).map((put) => ({ put })));
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
