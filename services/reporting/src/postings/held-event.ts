import type { Collection, Doc, Index } from '@svc/document-store';
import type { Env } from '@svc/kernel';
import type { EntryEvent } from './posting-of.ts';
import { postingId } from './posting.ts';

/** An event that came before an earlier one of its document: it waits for that one, so that no document is counted with a part of its history. */
export interface HeldEvent extends Doc {
  account: string;
  env: Env;
  document: string;
  line: number;
  recorded_at: string;
  event: EntryEvent;
}

export type HeldEvents = Collection<HeldEvent>;

export const HELD_EVENTS = 'held_events_v1';
export const heldEventIndexes: Index[] = [{ fields: ['account', 'env', 'recorded_at', '_id'] }, { fields: ['document', 'line', '_id'] }];

export const heldEvent = (event: EntryEvent): HeldEvent => ({
  _id: postingId(event.subject, event.entry.line),
  version: 1,
  account: event.account,
  env: event.env,
  document: event.subject,
  line: event.entry.line,
  recorded_at: event.time,
  event,
});
