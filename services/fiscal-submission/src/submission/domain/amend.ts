import type { ChainLink } from '../../chain/domain/link.ts';
import type { SubmissionEvent } from './events.ts';
import type { SentRecord } from './facts.ts';
import type { State } from './state.ts';

/** `code`: of the warning for which it is amended. `draft`: of the record that replaces the registered one. `at`: ISO 8601. */
export interface Amending {
  code: string;
  draft: string;
  /** A revision that its chain has reached: its link is behind it. */
  seen: string;
  at: string;
}

/** The record of an amendment, whole. */
export interface PreparedAmendment {
  amendment: number;
  link: ChainLink;
  record: SentRecord;
  at: string;
}

/** [] where the document is not registered with this warning, or its record is being amended or was. */
export function amend({ code, draft, seen, at }: Amending, state: State): SubmissionEvent[] {
  if (state.status !== 'registered' || !state.registration.warnings.includes(code)) return [];
  return [{ type: 'AmendmentRequested', data: { amendment: (state.registration.amendments ?? 0) + 1, draft, seen, at } }];
}

/** Stored once. [] of another amendment, or when it is repeated. */
export function prepareAmendment({ amendment, link, record, at }: PreparedAmendment, state: State): SubmissionEvent[] {
  if (state.status !== 'amending' || state.prepared !== null || state.amendment.n !== amendment) return [];
  return [{ type: 'AmendmentPrepared', data: { ...record, amendment, link, at } }];
}
