import type { CreateReceipt } from '@svc/contracts/receipt/requests';
import { invalid, invalidState, DomainError, type Decider } from '@svc/kernel';
import type { CustomerState } from '../../customer/domain/state.ts';
import { stored, type FiscalEvent } from '../../document/domain/events.ts';
import { isOpen } from '../../document/domain/fiscal.ts';
import { decideOutcome, requestVoid, type DocumentCommand } from '../../document/domain/outcome.ts';
import { frozenCustomer, frozenIssuer, isActive, noAuthority, noCustomer, parted } from '../../document/domain/parties.ts';
import { placeOf } from '../../issuer/domain/place.ts';
import type { IssuerState } from '../../issuer/domain/state.ts';
import type { Products } from '../../product/domain/lines.ts';
import type { Numbering } from '../../series/domain/numbering.ts';
import { availableActions, canBeResubmitted } from './actions.ts';
import { receiptContent } from './content.ts';
import type { ReceiptEvent } from './events.ts';
import { evolve } from './evolve.ts';
import { isNumbered, type BeingNumbered, type NumberedReceipt, type ReceiptState } from './state.ts';

/** What a receipt needs from outside, as it is at the time. */
export interface ReceiptPreconditions {
  issuer: IssuerState;
  /** The one that the body names; undefined where it names none, or none that exists. */
  customer: CustomerState | undefined;
  /** Those that the body's items name. */
  products: Products;
  /** A refusal where the issuer's series cannot be counted for it. */
  numbering: Numbering | DomainError;
}

export type ReceiptCommand =
  | ({ at: string } & (
      | { type: 'create'; id: string; livemode: boolean; body: CreateReceipt; preconditions: ReceiptPreconditions }
      | { type: 'resubmit'; issuer: IssuerState }
    ))
  | DocumentCommand;
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
      return voidReceipt(command, state);
    default:
      return fiscal(decideOutcome(command, state));
  }
}

export const receiptDecider: Decider<ReceiptState | null, ReceiptCommand, ReceiptEvent> = { initialState: null, decide, evolve };

function create({ at, id, livemode, body, preconditions }: Of<'create'>): ReceiptEvent[] {
  const { customer, products, numbering } = preconditions;
  const issuer = frozenIssuer(preconditions.issuer, placeOf(body, preconditions.issuer));
  const isLost = typeof body.customer_id === 'string' && !(isActive(customer) && customer.personal);
  const problems = { ...(isLost ? noCustomer : {}), ...(issuer ? {} : noAuthority) };
  const { content, totals } = receiptContent(body, { issuer: preconditions.issuer, products, numbering, problems });
  if (!issuer) throw new TypeError('a receipt without an authority is refused');
  if (numbering instanceof DomainError) throw numbering;
  const { named, personal } = customer ? parted(frozenCustomer(customer)) : { named: null, personal: null };
  const parties = { issuer, customer: named };
  return [{ type: 'ReceiptRequested', data: { at, id, livemode, content, totals, parties, personal, numbering } }];
}

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

function voidReceipt({ at, reason }: Of<'void'>, state: NumberedReceipt): ReceiptEvent[] {
  if (reason === null) throw invalid({ reason: ['is required. Send 3 to 500 characters.'] });
  return fiscal(requestVoid({ at, reason }, state));
}

const fiscal = (events: FiscalEvent[]): ReceiptEvent[] => events.map((event) => stored('Receipt', event));
