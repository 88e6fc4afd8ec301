import type { ChainLink } from '../../chain/domain/link.ts';
import { isNews } from './end-attempt.ts';
import type { SubmissionEvent } from './events.ts';
import type { AuthorityError, Fixable, PreparedRecord } from './facts.ts';
import { doubtOf, type Preparing, type State } from './state.ts';

/** What completes a record. `at`: ISO 8601. */
export interface Preparation {
  round: number;
  /** null where the authority has no chain; one that is known already is not stored again. */
  link: ChainLink | null;
  /** null where the record lacks a signature still. */
  prepared: PreparedRecord | null;
  at: string;
}

/** Why the record cannot be prepared before something is fixed. Times are ISO 8601. */
export interface HeldPreparation {
  error: Omit<AuthorityError, 'fixable'>;
  fixable: Fixable | null;
  next_attempt_at: string;
  at: string;
}

/** The link of the record and, once it is whole, the record: stored once, whoever computes it again. [] of another round, or when it is repeated. */
export function prepare({ round, link, prepared, at }: Preparation, state: State): SubmissionEvent[] {
  if (state.status !== 'opened' || state.unprepared === null || state.round !== round) return [];
  const linked: SubmissionEvent[] = link && state.link === null ? [{ type: 'RecordLinked', data: { round, link, at } }] : [];
  if (!prepared) return linked;
  return [...linked, { type: 'RecordPrepared', data: { ...prepared, round, at, news: doubtOf(state) } }];
}

/** What has to be fixed first, where the document does not show it yet. */
export function hold({ error, fixable, next_attempt_at, at }: HeldPreparation, state: Preparing): SubmissionEvent[] {
  if (!isNews(state.reported, { code: error.code, fixable })) return [];
  const news = { ...doubtOf(state), status: 'pending' as const, fixable };
  return [{ type: 'PreparationHeld', data: { ...news, error, attempts: state.attemptCount, next_attempt_at, at } }];
}
