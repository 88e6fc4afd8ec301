import type { Collection, Doc, Index } from '@svc/document-store';
import type { Env } from '@svc/kernel';
import type { EntryEvent } from './posting-of.ts';
import type { KnownDocument } from './known-document.ts';
import { postingId } from './posting.ts';

/** An event that came before an earlier one of its document: it waits for that one, so that no document is counted with a part of its history. */
export interface HeldEvent extends Doc {
  account: string;
  env: Env;
  document: string;
  line: number;
  /** Time of the last line that was known when it came, ISO 8601; '' before the first one. The missing lines are not older. */
  after: string;
  event: EntryEvent;
}

export type HeldEvents = Collection<HeldEvent>;

export const HELD_EVENTS = 'held_events_v1';
export const heldEventIndexes: Index[] = [{ fields: ['account', 'env', 'after', '_id'] }, { fields: ['document', 'line', '_id'] }];

/** `known`: what is known of its document. */
export const heldEvent = (event: EntryEvent, known: Pick<KnownDocument, 'recorded_at'> | undefined): HeldEvent => ({
  _id: postingId(event.subject, event.entry.line),
  version: 1,
  account: event.account,
  env: event.env,
  document: event.subject,
  line: event.entry.line,
  after: known?.recorded_at ?? '',
  event,
});
