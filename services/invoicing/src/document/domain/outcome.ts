import type { FiscalEvent } from './events.ts';
import {
  isNews,
  isOpen,
  type Amendment,
  type Delay,
  type Fiscal,
  type Preparation,
  type Registration,
  type Rejection,
  type Tried,
  type VoidRefusal,
} from './fiscal.ts';
import type { Numbering } from '../../numbering/domain/numbering.ts';
import type { NumberCommand, NumberedDocument, VoidRequest, Voiding } from './state.ts';
import { isVoidedByCorrective, type PlannedReversal, type ReversalEnd } from './reversal.ts';
import type { FrozenIssuer } from './parties.ts';
import { DomainError, sameJson } from '@svc/kernel';

/** The authority's outcome, as a command on the document. `round`: of the submission that it answers. */
export type OutcomeCommand = { at: string } & (
  | { type: 'prepare'; round: number; preparation: Preparation }
  | { type: 'register'; round: number; registration: Registration }
  | { type: 'amend'; round: number; amendment: Amendment }
  | { type: 'reject'; round: number; rejection: Rejection }
  | { type: 'delay'; round: number; delay: Delay }
  | { type: 'cancel'; cancelled: Tried }
  | { type: 'refuse_void'; refusal: VoidRefusal }
);

/**
 * `reverse` makes the corrective by which `original` is voided; `end_reversal` informs the original of its outcome: no error where it is registered,
 * and then its issue date.
 */
export type ReversalCommand = { at: string } & (
  { type: 'reverse'; original: NumberedDocument & Voiding } | ({ type: 'end_reversal'; document: string } & ReversalEnd)
);

/** `reversal`: absent where the authority annuls. */
export interface VoidCommand {
  type: 'void';
  at: string;
  reason: string | null;
  reversal?: PlannedReversal | undefined;
}

/** The commands that every document takes. */
export type DocumentCommand = NumberCommand | OutcomeCommand | ReversalCommand | VoidCommand;

/** What of a numbered document outcomes and voiding depend on. */
interface Submission {
  status: string;
  round: number;
  fiscal: Fiscal;
  void?: VoidRequest | null;
  parties: { issuer: FrozenIssuer };
}

/** The outcome of an earlier round, or of a registration or cancellation that is over, changes nothing: [], also when it is repeated. */
export function decideOutcome(command: OutcomeCommand, state: Submission): FiscalEvent[] {
  const { at } = command;
  if (command.type === 'cancel')
    return isBeingCancelled(state) ? [{ type: 'Voided', data: { at, reason: state.void.reason, cancelled: command.cancelled } }] : [];
  if (command.type === 'refuse_void') {
    const { refusal } = command;
    const isOfThis = isBeingCancelled(state) && (state.refused_before === null || refusal.cancellation > state.refused_before);
    return isOfThis ? [{ type: 'VoidRefused', data: { at, ...refusal } }] : [];
  }
  const { round } = command;
  if (command.type === 'amend')
    return state.round === round && isAmended(state.fiscal, command.amendment)
      ? [{ type: 'Amended', data: { at, round, ...command.amendment } }]
      : [];
  if (state.round !== round || !isOpen(state.fiscal)) return [];
  switch (command.type) {
    case 'prepare':
      return isPrepared(state.fiscal, command.preparation) ? [] : [{ type: 'Prepared', data: { at, round, ...command.preparation } }];
    case 'register':
      return [{ type: 'Registered', data: { at, round, ...command.registration } }];
    case 'delay':
      return isNews(state.fiscal, command.delay) ? [{ type: 'Delayed', data: { at, round, ...command.delay } }] : [];
    case 'reject':
      return [
        { type: 'Rejected', data: { at, round, ...command.rejection } },
        ...(isVoiding(state) ? [{ type: 'Voided' as const, data: { at, reason: state.void.reason, cancelled: null } }] : []),
      ];
    default:
      return command satisfies never;
  }
}

/**
 * A rejected document is void at once. Else the request is kept until the outcome of the registration and then of the cancellation, or of the
 * corrective, is known. Throws where the corrective's series cannot take it.
 */
export function requestVoid({ at, reason, reversal }: VoidCommand & { reason: string }, state: Submission): FiscalEvent[] {
  if (state.status === 'voiding' || state.status === 'voided') return [];
  if (state.fiscal.status === 'rejected') return [{ type: 'Voided', data: { at, reason, cancelled: null } }];
  if (!isVoidedByCorrective(state.parties.issuer)) return [{ type: 'VoidRequested', data: { at, reason } }];
  if (!reversal) throw new TypeError('a void by a corrective is requested with its id and numbering');
  const { document, numbering } = reversal;
  if (numbering instanceof DomainError) throw numbering;
  return [{ type: 'ReversalRequested', data: { at, reason, document, numbering } }];
}

/** Of another corrective than that of the request, or repeated, it changes nothing. */
export function endReversal(command: Extract<ReversalCommand, { type: 'end_reversal' }>, state: Submission): FiscalEvent[] {
  const { at, document } = command;
  if (!isBeingReversed(state) || state.void.document !== document) return [];
  if (command.error) return [{ type: 'ReversalRefused', data: { at, document, error: command.error } }];
  return [{ type: 'Voided', data: { at, reason: state.void.reason, cancelled: null, issue_date: command.issue_date } }];
}

export const isVoiding = <State extends { status: string }>(state: State): state is State & Voiding => state.status === 'voiding';
/** The authority was asked to annul it. */
export const isBeingCancelled = <State extends Submission>(state: State): state is State & Voiding =>
  isVoiding(state) && state.fiscal.status === 'registered' && state.void.document === undefined;
/** Its corrective has been, or is being, made. */
export const isBeingReversed = <State extends Submission>(
  state: State,
): state is State & Voiding & { void: { document: string }; numbering: Numbering } =>
  isVoiding(state) && state.fiscal.status === 'registered' && state.void.document !== undefined;

interface Changes {
  fiscal?: Fiscal;
  void?: VoidRequest | null;
  refused_before?: number | null;
  numbering?: Numbering;
}

/** The fields that an event changes; which status follows is the document's own. */
export function afterFiscalEvent(state: Submission, event: FiscalEvent): Changes {
  const { fiscal } = state;
  switch (event.type) {
    case 'Prepared': {
      const { issuer_code, verification_url } = event.data;
      return { fiscal: { ...fiscal, issuer_code, verification_url, next_attempt_at: null, error: null } };
    }
    case 'Registered': {
      const { code, issuer_code, registered_at, verification_url, late, code_kind, warnings } = event.data;
      const more = { ...(code_kind && { code_kind }), ...(warnings && { warnings }) };
      const known = { code, issuer_code, registered_at, verification_url, late, ...more, ...tried(event.data) };
      return { fiscal: { ...fiscal, ...known, status: 'registered', next_attempt_at: null, error: null }, void: state.void ?? null };
    }
    case 'Amended': {
      const { warnings: _, ...kept } = fiscal;
      const { warnings } = event.data;
      return { fiscal: { ...kept, ...tried(event.data), ...(warnings && { warnings }) } };
    }
    case 'Rejected':
      return { fiscal: { ...fiscal, ...tried(event.data), status: 'rejected', next_attempt_at: null, error: event.data.error } };
    case 'Delayed': {
      const { status, error, next_attempt_at } = event.data;
      return { fiscal: { ...fiscal, ...tried(event.data), status, error, next_attempt_at } };
    }
    case 'VoidRequested': {
      const { at, reason } = event.data;
      const request = { reason, requested_at: at, voided_at: null, refused: null };
      return { void: request, refused_before: state.void?.refused?.cancellation ?? null };
    }
    case 'Voided': {
      const { cancelled } = event.data;
      const annulled = cancelled && { ...fiscal, ...tried(cancelled), status: 'cancelled' as const, next_attempt_at: null };
      return { fiscal: annulled ?? fiscal, void: voidedBy(event.data, isVoiding(state) ? state.void : null) };
    }
    case 'VoidRefused': {
      const { error, cancellation } = event.data;
      const refused = { code: error.code, message: error.message, cancellation };
      return { fiscal: { ...fiscal, ...tried(event.data) }, void: isVoiding(state) ? { ...state.void, refused } : null };
    }
    case 'ReversalRequested': {
      const { at, reason, document, numbering } = event.data;
      return { void: { reason, requested_at: at, voided_at: null, refused: null, document }, refused_before: null, numbering };
    }
    case 'ReversalRefused': {
      const { code, message } = event.data.error;
      return { void: isVoiding(state) ? { ...state.void, refused: { code, message, cancellation: null } } : null };
    }
    default:
      return event satisfies never;
  }
}

const isPrepared = (fiscal: Fiscal, { issuer_code, verification_url }: Preparation): boolean =>
  fiscal.issuer_code === issuer_code && fiscal.verification_url === verification_url;

/** A repeated one, or one before the last, counts no more attempts than are known. */
const isAmended = (fiscal: Fiscal, { warnings, attempts }: Amendment): boolean =>
  fiscal.status === 'registered' && attempts > fiscal.attempts && !sameJson(warnings, fiscal.warnings);

const tried = ({ attempts, last_attempt_at }: Tried): Tried => ({ attempts, last_attempt_at });

/** `request`: the one that is carried out; null where the document is void at once. */
export const voidedBy = ({ at, reason }: { at: string; reason: string | null }, request: VoidRequest | null): VoidRequest =>
  request ? { ...request, voided_at: at } : { reason, requested_at: at, voided_at: at, refused: null };
