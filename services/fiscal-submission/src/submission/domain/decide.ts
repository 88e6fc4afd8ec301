import { DomainError } from '@svc/kernel';
import type {
  AttemptKind,
  Cancellation,
  AuthorityError,
  Opened,
  PreparedRecord,
  Resolution,
  Result,
  SentRecord,
  Started,
  Unprepared,
  Fixable,
} from './facts.ts';
import type { SubmissionEvent } from './events.ts';
import { doubtAfterRestore } from './after-restore.ts';
import { eventsOf, endAttempt, withAbsence, isNews } from './end-attempt.ts';
import type { AttemptEnded, AttemptFacts } from './outcome.ts';
import { amend, prepareAmendment, type Amending, type PreparedAmendment } from './amend.ts';
import { awaitsOpening } from './next-step.ts';
import { isCalling, MAX_STORED_ATTEMPTS, type State, outcomeAt, doubtOf, type Preparing } from './state.ts';
import { giveUp } from './give-up.ts';
import { resolve } from './resolve.ts';
import type { ChainLink } from '../../chain/domain/link.ts';

export type Command =
  /** Its record is whole, or lacks a link or a signature. */
  | ({ do: 'open'; opened: Opened; at: string } & ({ prepared: PreparedRecord } | { unprepared: Unprepared }))
  | ({ do: 'prepare' } & Preparation)
  | ({ do: 'hold'; round: number } & HeldPreparation)
  | { do: 'prepare_cancellation'; cancellation: number; link: ChainLink; record: SentRecord; at: string }
  /** Mends what the authority has registered and found wrong. */
  | ({ do: 'amend' } & Amending)
  | ({ do: 'prepare_amendment' } & PreparedAmendment)
  /** No adapter of this release serves the authority: the submission is rejected when it is opened. */
  | { do: 'reject_unserved'; opened: Opened; error: AuthorityError; at: string }
  /** `n`: the number that it is to have. Another process may have made one since it was judged that this one is due. */
  | { do: 'start_attempt'; n: number; round: number; kind: AttemptKind; message_id: string; request_sha256: string; at: string }
  | ({ do: 'end_attempt'; result: Result } & AttemptFacts)
  /** Rejects a submission without sending it, because the authority would certainly reject it. */
  | { do: 'refuse'; error: AuthorityError; at: string }
  /** After a restore, of a record that may have been sent since the backup. */
  | { do: 'doubt'; restoredAt: string; at: string }
  /** By an operator, of a record that holds up its chain. */
  | { do: 'give_up'; at: string }
  | { do: 'expire'; absence: AttemptEnded | null; at: string }
  | { do: 'resolve'; resolution: Resolution; at: string }
  | { do: 'cancel'; cancellation: Cancellation; at: string };

/**
 * The events of a command. [] when it repeats what is known: a round already seen, an attempt already ended, a cancellation already
 * requested. Throws `not_found` when a cancellation names a document that was never submitted.
 */
export function decide(command: Command, state: State): SubmissionEvent[] {
  switch (command.do) {
    case 'open':
      return open(command, state);
    case 'reject_unserved':
      return rejectUnserved(command, state);
    case 'prepare':
      return prepare(command, state);
    case 'prepare_cancellation':
      return prepareCancellation(command, state);
    case 'amend':
      return amend(command, state);
    case 'prepare_amendment':
      return prepareAmendment(command, state);
    case 'hold':
      return state.status === 'opened' && state.round === command.round ? hold(command, state) : [];
    case 'start_attempt':
      return mayStart(command, state) ? [{ type: 'AttemptStarted', data: started(command, state) }] : [];
    case 'end_attempt':
      return endAttempt(command, state);
    case 'refuse':
      return (state.status === 'pending' && state.open === null) || state.status === 'opened'
        ? [{ type: 'SubmissionRejected', data: { error: command.error, ...outcomeAt(state, command.at) } }]
        : [];
    case 'doubt':
      return doubtAfterRestore(command, state);
    case 'give_up':
      return giveUp(command.at, state);
    case 'expire':
      return expire(command, state);
    case 'resolve':
      return resolve(command.resolution, command.at, state);
    case 'cancel':
      return cancel(command.cancellation, command.at, state);
    default:
      return command satisfies never;
  }
}

function open({ opened, at, ...record }: Extract<Command, { do: 'open' }>, state: State): SubmissionEvent[] {
  if (!isNext(opened, state)) return [];
  if ('unprepared' in record) return [{ type: 'SubmissionOpened', data: { ...opened, unprepared: record.unprepared, at } }];
  return [
    { type: 'SubmissionOpened', data: { ...opened, at } },
    { type: 'RecordPrepared', data: { ...record.prepared, round: opened.round, at } },
  ];
}

function rejectUnserved({ opened, error, at }: Extract<Command, { do: 'reject_unserved' }>, state: State): SubmissionEvent[] {
  if (!isNext(opened, state)) return [];
  const before = state.status === 'none' ? { attemptCount: 0, lastAttemptAt: null } : state;
  return [
    { type: 'SubmissionOpened', data: { ...opened, at } },
    { type: 'SubmissionRejected', data: { error, ...outcomeAt({ ...opened, ...before }, at) } },
  ];
}

const isNext = ({ round }: Opened, state: State): boolean =>
  state.status === 'none' || (state.status === 'rejected' && round > state.round);

type Start = Extract<Command, { do: 'start_attempt' }>;

function mayStart({ n, round, kind }: Start, state: State): boolean {
  if (!isCalling(state)) return false;
  if (state.open !== null || state.round !== round || n !== state.attemptCount + 1 || n > MAX_STORED_ATTEMPTS) return false;
  if (state.status === 'cancelling') return kind === 'cancel' || (kind === 'query' && state.doubt !== 'none');
  if (state.status === 'amending') return state.prepared !== null && kind === (state.inDoubt ? 'query' : 'submit');
  if (kind === 'deposit') return awaitsOpening(state);
  return kind === 'submit' || (kind === 'query' && state.status === 'unknown');
}

function started({ do: _, ...start }: Start, state: State): Started {
  const isRegistering = state.status === 'pending' || state.status === 'unknown';
  const warnings = start.kind === 'submit' && isRegistering ? state.prepared.warnings : undefined;
  const amendment = state.status === 'amending' && { amendment: state.amendment.n };
  return { ...start, ...(warnings && { warnings }), ...amendment };
}

function expire({ at, absence }: Extract<Command, { do: 'expire' }>, stored: State): SubmissionEvent[] {
  const state = withAbsence(stored, absence);
  if (state.status !== 'opened' && ((state.status !== 'pending' && state.status !== 'unknown') || state.open !== null)) return [];
  const deadline = state.status === 'opened' ? (state.unprepared?.deadline ?? null) : state.prepared.deadline;
  if (deadline === null || at <= deadline) return [];
  const error = {
    code: 'deadline_passed',
    message: `The authority took this document until ${deadline}, and could not be reached before.`,
    fixable: 'setup' as const,
  };
  const certain = state.status !== 'unknown' || state.absent;
  return [...eventsOf(absence), { type: certain ? 'SubmissionRejected' : 'ReviewRequired', data: { error, ...outcomeAt(state, at) } }];
}

function cancel(cancellation: Cancellation, at: string, state: State): SubmissionEvent[] {
  switch (state.status) {
    case 'none':
      throw new DomainError('not_found', 'This document was never submitted.');
    case 'rejected':
    case 'cancelling':
    case 'cancelled':
      return [];
    case 'opened':
    case 'pending':
    case 'unknown':
    case 'needs_review':
    case 'registered':
    case 'amending':
      return cancellation.sequence > state.cancellationsSeen ? [{ type: 'CancellationRequested', data: { ...cancellation, at } }] : [];
    default:
      return state satisfies never;
  }
}

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

/** The record of a cancellation, stored once. [] of another one, or when it is repeated. */
function prepareCancellation(
  { cancellation, link, record, at }: Extract<Command, { do: 'prepare_cancellation' }>,
  state: State,
): SubmissionEvent[] {
  if (state.status !== 'cancelling' || state.prepared !== null || state.cancellation.sequence !== cancellation) return [];
  return [{ type: 'CancellationPrepared', data: { ...record, cancellation, link, at } }];
}

/** What has to be fixed first, where the document does not show it yet. */
export function hold({ error, fixable, next_attempt_at, at }: HeldPreparation, state: Preparing): SubmissionEvent[] {
  if (!isNews(state.reported, { code: error.code, fixable })) return [];
  const news = { ...doubtOf(state), status: 'pending' as const, fixable };
  return [{ type: 'PreparationHeld', data: { ...news, error, attempts: state.attemptCount, next_attempt_at, at } }];
}
