import type { CreateReceipt } from '@svc/contracts/receipt/requests';
import { invalid, invalidState, Refusal, type Decider, type Details } from '@svc/kernel';
import type { CustomerState } from '../../customer/domain/state.ts';
import type { OutcomeCommand } from '../../document/domain/outcome.ts';
import { isNews } from '../../document/domain/fiscal.ts';
import { frozenCustomer, frozenIssuer, isActive, parted } from '../../document/domain/parties.ts';
import { placeOf } from '../../issuer/domain/place.ts';
import type { IssuerState } from '../../issuer/domain/state.ts';
import type { NumberTaken, Numbering } from '../../series/domain/numbering.ts';
import { availableActions, canBeResubmitted, isOpen } from './actions.ts';
import { receiptContent } from './content.ts';
import type { ReceiptEvent } from './events.ts';
import { evolve } from './evolve.ts';
import { isNumbered, type BeingNumbered, type NumberedReceipt, type ReceiptFacts, type ReceiptState, type Voiding } from './state.ts';

/** What a receipt needs from outside, as it is at the time. */
export interface ReceiptTerms {
  issuer: IssuerState;
  /** The one that the body names; undefined where it names none, or none that exists. */
  customer: CustomerState | undefined;
  /** A refusal where the issuer's series cannot be counted for it. */
  numbering: Numbering | Refusal;
}

export type ReceiptCommand =
  | ({ at: string } & (
      | { type: 'create'; id: string; livemode: boolean; body: CreateReceipt; terms: ReceiptTerms }
      /** `parties`: as a legal record. */
      | { type: 'number'; taken: NumberTaken; parties: ReceiptFacts['parties'] }
      | { type: 'refuse_number'; details: Details }
      | { type: 'resubmit'; issuer: IssuerState }
      | { type: 'void'; reason: string }
    ))
  | OutcomeCommand;
type Of<Type extends ReceiptCommand['type']> = Extract<ReceiptCommand, { type: Type }>;

/** What callers ask and cannot have is refused; what the authority or a second actor tells too late changes nothing. */
export function decide(command: ReceiptCommand, state: ReceiptState | null): ReceiptEvent[] {
  if (command.type === 'create') return state === null ? create(command) : [];
  if (state === null) throw new TypeError('a receipt is created first');
  if (command.type === 'number') return state.status === 'being_numbered' ? [issue(command, state)] : [];
  if (command.type === 'refuse_number') return state.status === 'being_numbered' ? [refuse(command)] : [];
  if (!isNumbered(state)) throw new TypeError('nobody knows a receipt before it has its number');
  switch (command.type) {
    case 'resubmit':
      return resubmit(command, state);
    case 'void':
      return requestVoid(command, state);
    default:
      return outcome(command, state);
  }
}

export const receiptDecider: Decider<ReceiptState | null, ReceiptCommand, ReceiptEvent> = { initialState: null, decide, evolve };

function create({ at, id, livemode, body, terms }: Of<'create'>): ReceiptEvent[] {
  const { customer, numbering } = terms;
  const issuer = frozenIssuer(terms.issuer, placeOf(body, terms.issuer));
  const isLost = typeof body.customer_id === 'string' && !(isActive(customer) && customer.personal);
  const { content, totals } = receiptContent(body, terms.issuer, { ...(isLost ? noCustomer : {}), ...(issuer ? {} : noAuthority) });
  if (!issuer) throw new TypeError('a receipt without an authority is refused');
  if (numbering instanceof Refusal) throw numbering;
  const { named, personal } = customer ? parted(frozenCustomer(customer)) : { named: null, personal: null };
  const parties = { issuer, customer: named };
  return [{ type: 'ReceiptRequested', data: { at, id, livemode, content, totals, parties, personal, numbering } }];
}

const noCustomer: Details = {
  customer_id: ['There is no such customer, or it was deleted. Check the id, and that the key is of the same environment.'],
};
const noAuthority: Details = { 'issuer.authority': ['is not set: nothing can be submitted. Set it by PATCH /issuer.'] };

function issue({ at, taken, parties }: Of<'number'>, state: BeingNumbered): ReceiptEvent {
  const { status: _, numbering: _1, earlier_release: _2, ...facts } = state;
  const { number, seq, issued_at, issue_date } = taken;
  return { type: 'ReceiptIssued', data: { at, ...facts, parties, number, seq, issued_at, issue_date } };
}

const refuse = ({ at, details }: Of<'refuse_number'>): ReceiptEvent => ({ type: 'ReceiptRefused', data: { at, details } });

function resubmit({ at, issuer: now }: Of<'resubmit'>, state: NumberedReceipt): ReceiptEvent[] {
  if (state.status === 'issued' && isOpen(state.fiscal)) return [];
  if (!canBeResubmitted(state)) {
    const why = state.fiscal.status === 'rejected' ? 'it was rejected for its data: void it and issue it anew.' : '';
    throw invalidState('Resubmission', state.status, availableActions(state), why);
  }
  const issuer = frozenIssuer(now, state.content);
  if (!issuer) throw invalid(noAuthority);
  return [{ type: 'ReceiptResubmitted', data: { at, round: state.round + 1, issuer } }];
}

/** Where its registration is open the wish is kept until the outcome is known. */
function requestVoid({ at, reason }: Of<'void'>, state: NumberedReceipt): ReceiptEvent[] {
  if (state.status !== 'issued') return [];
  return state.fiscal.status === 'rejected'
    ? [{ type: 'ReceiptVoided', data: { at, reason, cancelled: null } }]
    : [{ type: 'ReceiptVoidRequested', data: { at, reason } }];
}

function outcome(command: OutcomeCommand, state: NumberedReceipt): ReceiptEvent[] {
  const { at } = command;
  if (command.type === 'cancel') {
    return isBeingCancelled(state)
      ? [{ type: 'ReceiptVoided', data: { at, reason: state.void.reason ?? '', cancelled: command.cancelled } }]
      : [];
  }
  if (command.type === 'refuse_void') {
    const { refusal } = command;
    const isOfThis = isBeingCancelled(state) && (state.refused_before === null || refusal.cancellation > state.refused_before);
    return isOfThis ? [{ type: 'ReceiptVoidRefused', data: { at, ...refusal } }] : [];
  }
  const { round } = command;
  if (state.round !== round || !isOpen(state.fiscal)) return [];
  switch (command.type) {
    case 'register':
      return [{ type: 'ReceiptRegistered', data: { at, round, ...command.registration } }];
    case 'delay':
      return isNews(state.fiscal, command.delay) ? [{ type: 'ReceiptDelayed', data: { at, round, ...command.delay } }] : [];
    case 'reject':
      return [
        { type: 'ReceiptRejected', data: { at, round, ...command.rejection } },
        ...(state.status === 'voiding'
          ? [{ type: 'ReceiptVoided' as const, data: { at, reason: state.void.reason ?? '', cancelled: null } }]
          : []),
      ];
    default:
      return command satisfies never;
  }
}

/** The authority was asked to annul it. */
const isBeingCancelled = (state: NumberedReceipt): state is Voiding => state.status === 'voiding' && state.fiscal.status === 'registered';
