import type { DocumentEntry } from '@svc/contracts/document/entry';
import { dayIn, millisOf, numberText, type Day } from '@svc/kernel';
import { figuresOf, isCreditNote, type DocumentData, type DocumentEvent } from './figures-of.ts';
import type { KnownDocument } from './known-document.ts';
import { postingId, type Outcome, type Posting } from './posting.ts';

/** An event of a document with the line of its history that it is. */
export type EntryEvent = DocumentEvent & { entry: DocumentEntry };
type NumberedData = DocumentData & { number: string; issue_date: Day };

export interface Step {
  known: KnownDocument;
  /** Absent: the event changes nothing that reports count. */
  posting?: Posting;
}

/**
 * The document after the event, and the posting that the event makes: the difference of two versions, dated by the line of its history. `before`: as
 * of the line before the event's; undefined before the first.
 */
export function stepOf(before: KnownDocument | undefined, event: EntryEvent): Step {
  const { data } = event;
  const known = knownAfter(before, event);
  if (!isNumbered(data)) return { known };
  const change = changeOf(before, known, event.entry);
  return change ? { known, posting: postingOf({ before, known, event: { ...event, data }, change }) } : { known };
}

const isNumbered = (data: DocumentData): data is NumberedData => data.number !== null && data.issue_date !== null;

function knownAfter(before: KnownDocument | undefined, { subject, account, env, entry, data }: EntryEvent): KnownDocument {
  const outcome = isNumbered(data) ? outcomeOf(data) : null;
  const isSubmitted = outcome === 'pending' && (before?.outcome ?? 'failed') === 'failed';
  return {
    _id: subject,
    version: entry.line,
    account,
    env,
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
  if (!before?.outcome) return 'numbered';
  if (outcome !== null && outcome !== before.outcome) return outcome;
  return type === 'payment_recorded' ? 'paid' : type === 'payment_reversed' ? 'reversed' : undefined;
}

interface Made {
  before: KnownDocument | undefined;
  known: KnownDocument;
  event: Omit<EntryEvent, 'data'> & { data: NumberedData };
  change: Posting['change'];
}

function postingOf(made: Made): Posting {
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
    outcome: known.outcome as Outcome,
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
    default:
      return dayAt(entry.at);
  }
}

function numberOf({ time, entry: { numbered }, data }: Made['event']): Partial<Posting> {
  const { series, issued_at } = data;
  return {
    series,
    ...(numbered && { series_key: numbered.series_key, seq: numbered.seq }),
    issued_at: issued_at ?? time,
    numbered_at: time,
  };
}

function answerOf(before: KnownDocument | undefined, { entry: { at }, data }: Made['event']): Posting['answered'] {
  const since = before?.submitted_at ?? at;
  return { seconds: Math.max(0, millisOf(at) - millisOf(since)) / 1_000, late: data.fiscal?.late ?? false };
}
