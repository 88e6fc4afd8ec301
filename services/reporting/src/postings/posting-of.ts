import type { DocumentEntry } from '@svc/contracts/document/entry';
import { dayIn, millisOf, numberText, type Day } from '@svc/kernel';
import { figuresOf, isCreditNote, type DocumentData, type DocumentEvent } from './figures-of.ts';
import type { KnownDocument } from './known-document.ts';
import { postingId, type NewPosting, type Outcome, type Posting } from './posting.ts';

type NumberedData = DocumentData & { number: string; issue_date: Day };
/** An event of a document that has a number, with the line of its history that it is. */
export type EntryEvent = Omit<DocumentEvent, 'data'> & { entry: DocumentEntry; data: NumberedData };

/** Drafts make no posting, and nothing of them is kept: most of them never get a number. */
export const isOfNumbered = (event: DocumentEvent): event is DocumentEvent & EntryEvent =>
  event.entry !== undefined && event.data.number !== null && event.data.issue_date !== null;

/** Whether the event is the next line of the document's history. Its first is that which gives it its number. */
export const follows = (before: KnownDocument | undefined, { entry: { line, numbered } }: EntryEvent): boolean =>
  before ? line === before.version + 1 : numbered !== undefined;

export interface Step {
  known: KnownDocument;
  /** Absent: the event changes nothing that reports count. */
  posting?: NewPosting;
}

/**
 * The document after the event, and the posting that the event makes: the difference of two versions, dated by the line of its history. `before`: as
 * of the line before the event's; undefined before it has a number.
 */
export function stepOf(before: KnownDocument | undefined, event: EntryEvent): Step {
  const known = knownAfter(before, event);
  const change = changeOf(before, known, event.entry);
  return change ? { known, posting: postingOf({ before, known, event, change }) } : { known };
}

function knownAfter(before: KnownDocument | undefined, { subject, account, env, time, entry, data }: EntryEvent): KnownDocument {
  const outcome = outcomeOf(data);
  const isSubmitted = outcome === 'pending' && (before?.outcome ?? 'failed') === 'failed';
  return {
    _id: subject,
    version: entry.line,
    account,
    env,
    recorded_at: time,
    kind: data.object,
    currency: data.currency,
    outcome,
    counts: outcome === 'registered' && !carriesOutVoid(data),
    submitted_at: isSubmitted ? entry.at : (before?.submitted_at ?? null),
    open_on: outcome === 'pending' || outcome === 'unknown' ? data.issue_date : null,
  };
}

function outcomeOf({ status, fiscal }: DocumentData): Outcome {
  if (status === 'voided') return 'voided';
  switch (fiscal?.status) {
    case 'registered':
    case 'cancelled':
      return 'registered';
    case 'rejected':
      return 'failed';
    case 'unknown':
    case 'needs_review':
      return 'unknown';
    default:
      return 'pending';
  }
}

/** The corrective by which another document is voided: the void itself counts. */
const carriesOutVoid = (data: DocumentData): boolean =>
  data.object === 'invoice' ? typeof data.voids === 'string' : data.type === 'corrective';

function changeOf(before: KnownDocument | undefined, { outcome }: KnownDocument, { type }: DocumentEntry): Posting['change'] | undefined {
  if (!before) return 'numbered';
  if (outcome !== before.outcome) return outcome;
  return type === 'payment_recorded' ? 'paid' : type === 'payment_reversed' ? 'reversed' : undefined;
}

interface Made {
  before: KnownDocument | undefined;
  known: KnownDocument;
  event: EntryEvent;
  change: Posting['change'];
}

function postingOf(made: Made): NewPosting {
  const { before, known, event, change } = made;
  const { subject, account, env, entry, data } = event;
  const day = later(dayOf(made), data.issue_date);
  const counts = change === 'registered' ? known.counts : change === 'voided' && before?.counts === true;
  return {
    _id: postingId(subject, entry.line),
    version: 1,
    account,
    env,
    document: subject,
    kind: data.object,
    change,
    day,
    issued_on: data.issue_date,
    recorded_at: event.time,
    time_zone: zoneOf(data),
    number: data.number,
    customer_id: data.customer_id,
    currency: data.currency,
    authority: data.fiscal?.authority ?? '',
    outcome: known.outcome,
    ...(counts && { counted_on: day, figures: figuresOf(data, change === 'voided' ? -1 : 1) }),
    ...(counts && isCreditNote(data) && { lowers: (data as { corrects: string }).corrects }),
    ...(entry.payment && { paid: numberText(entry.payment.amount) }),
    ...(change === 'numbered' && numberOf(event)),
    ...((change === 'registered' || change === 'failed') && { answered: answerOf(before, event) }),
  };
}

const zoneOf = ({ issuer }: DocumentData): string => issuer?.time_zone ?? 'UTC';
const later = (a: Day, b: Day): Day => (a > b ? a : b);

/** In the issuer's time zone. */
function dayOf({ event: { entry, data }, change }: Made): Day {
  const dayAt = (at: string): Day => dayIn(zoneOf(data), millisOf(at));
  switch (change) {
    case 'numbered':
    case 'registered':
      return data.issue_date;
    case 'voided':
      return entry.voided?.issue_date ?? dayAt(data.void?.voided_at ?? entry.at);
    case 'paid':
      return entry.payment?.paid_at ?? dayAt(entry.at);
    case 'reversed': // The day of the payment is of the issuer's zone as it was when it was recorded, which may be ahead of the document's.
      return later(dayAt(entry.at), entry.payment?.paid_at ?? '');
    default:
      return dayAt(entry.at);
  }
}

function numberOf({ time, entry: { numbered }, data }: Made['event']): Partial<Posting> {
  const { series, issued_at } = data;
  return {
    series,
    ...(numbered && { series_key: numbered.series_key, seq: numbered.seq }),
    ...(numbered?.first_seq !== undefined && { first_seq: numbered.first_seq }),
    issued_at: issued_at ?? time,
    numbered_at: time,
  };
}

function answerOf(before: KnownDocument | undefined, { entry: { at }, data }: Made['event']): Posting['answered'] {
  const since = before?.submitted_at ?? at;
  return { seconds: Math.max(0, millisOf(at) - millisOf(since)) / 1_000, late: data.fiscal?.late ?? false };
}
