import type { CreateReceipt } from '@svc/contracts/receipt/requests';
import { invalid, millisOf, minus, DomainError, type Decider } from '@svc/kernel';
import type { CustomerState } from '../../customer/domain/state.ts';
import { amountsOf, countryProblems } from '../../document/domain/country-rules.ts';
import { checkWindow } from '../../document/domain/next-operation.ts';
import { correctedOf } from '../../document/domain/state.ts';
import { stored, type FiscalEvent } from '../../document/domain/events.ts';
import { isOpen } from '../../document/domain/fiscal.ts';
import { decideOutcome, endReversal, requestVoid, type DocumentCommand } from '../../document/domain/outcome.ts';
import { frozenCustomer, frozenIssuer, isActive, noCustomer, parted } from '../../document/domain/parties.ts';
import { negated } from '../../document/domain/reversal.ts';
import { pointOfSale } from '../../issuer/domain/point-of-sale.ts';
import { missingOf, type Provided } from '../../issuer/domain/setup.ts';
import type { IssuerState } from '../../issuer/domain/state.ts';
import type { Products } from '../../product/domain/lines.ts';
import type { Numbering } from '../../numbering/domain/numbering.ts';
import { checkAvailable } from './actions.ts';
import { receiptContent } from './content.ts';
import type { ReceiptEvent, Settles } from './events.ts';
import { evolve } from './evolve.ts';
import { isNumbered, type BeingNumbered, type NumberedReceipt, type ReceiptState, type Voiding } from './state.ts';

/** What a receipt needs from outside, as it is at the time. */
export interface ReceiptPreconditions extends Provided {
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
      | { type: 'resubmit'; issuer: IssuerState; around: Provided; late_reason: string | null }
    ))
  | DocumentCommand;
type Of<Type extends ReceiptCommand['type']> = Extract<ReceiptCommand, { type: Type }>;

/** What callers ask and cannot have is refused; what the authority or a second actor reports too late changes nothing. */
export function decide(command: ReceiptCommand, state: ReceiptState | null): ReceiptEvent[] {
  if (command.type === 'create') return state === null ? create(command) : [];
  if (command.type === 'reverse') return state === null ? reverse(command) : [];
  if (state === null) throw new TypeError('a receipt is created first');
  if (command.type === 'number') return state.status === 'being_numbered' ? [issue(command, state)] : [];
  if (command.type === 'refuse_number') return state.status === 'being_numbered' ? [refuse(command, state)] : [];
  if (!isNumbered(state)) throw new TypeError('nobody knows a receipt before it has its number');
  switch (command.type) {
    case 'resubmit':
      return resubmit(command, state);
    case 'void':
      return voidReceipt(command, state);
    case 'end_reversal':
      return fiscal(endReversal(command, state), state);
    default:
      return fiscal(decideOutcome(command, state), state);
  }
}

export const receiptDecider: Decider<ReceiptState | null, ReceiptCommand, ReceiptEvent> = { initialState: null, decide, evolve };

function create({ at, id, livemode, body, preconditions }: Of<'create'>): ReceiptEvent[] {
  const { customer, products, numbering } = preconditions;
  const issuer = frozenIssuer(preconditions.issuer, pointOfSale(body, preconditions.issuer));
  const isLost = typeof body.customer_id === 'string' && !(isActive(customer) && customer.personal);
  const problems = { ...(isLost ? noCustomer : {}), ...missingOf(preconditions.issuer, preconditions) };
  const frozen = customer && !isLost ? frozenCustomer(customer) : undefined;
  const around = { issuer: preconditions.issuer, products, numbering, problems, customer: frozen, at };
  const { content, totals } = receiptContent(body, around);
  if (!issuer) throw new TypeError('a receipt without an authority is refused');
  if (numbering instanceof DomainError) throw numbering;
  const { named, personal } = frozen ? parted(frozen) : { named: null, personal: null };
  const parties = { issuer, customer: named };
  const late = body.late_reason === undefined ? {} : { late_reason: body.late_reason };
  return [{ type: 'ReceiptRequested', data: { at, id, livemode, content, totals, parties, personal, numbering, ...late } }];
}

/** The corrective by which a registered receipt is voided: with its parties, as a legal record, whatever became of them since. */
function reverse({ at, original }: Of<'reverse'>): ReceiptEvent[] {
  const { id, livemode, parties, void: request, numbering, ...receipt } = original as NumberedReceipt & Voiding;
  if (request.document === undefined || !numbering) throw new TypeError('a receipt that is annulled has no corrective');
  const { content, totals } = negated({ ...receipt, livemode });
  const payments = content.payments.map(({ method, amount }) => ({ method, amount: minus(amount) }));
  const own = { payments, corrects: id, series: numbering.series };
  const facts = { id: request.document, livemode, content: { ...content, ...own }, totals, parties, corrected: correctedOf(original) };
  return [{ type: 'ReceiptReversalDrafted', data: { at, ...facts, numbering } }];
}

/** Number and receipt are stored one after the other, mostly within milliseconds. */
const PROMPT_MS = 1_000;

/**
 * A receipt is created with its number. Where a crash or an outage came between both, it is created when it is finished: it enters lists only then, and
 * who polls by `created_from` would not see it among older ones.
 */
const createdAt = (numbered: string, at: string): string => (millisOf(at) - millisOf(numbered) > PROMPT_MS ? at : numbered);

function issue({ at, taken, parties }: Of<'number'>, state: BeingNumbered): ReceiptEvent {
  const { status: _, numbering: _1, ...facts } = state;
  const { number, seq, issued_at, issue_date } = taken;
  const created_at = createdAt(issued_at, at);
  const type = facts.content.corrects === undefined ? 'ReceiptIssued' : 'ReceiptReversalIssued';
  return { type, data: { at, ...facts, created_at, parties, number, seq, issued_at, issue_date } };
}

const refuse = ({ at, details }: Of<'refuse_number'>, { content: { corrects } }: BeingNumbered): ReceiptEvent => ({
  type: 'ReceiptRefused',
  data: { at, details, ...(corrects !== undefined && { corrects }) },
});

function resubmit({ at, issuer: now, around, late_reason }: Of<'resubmit'>, state: NumberedReceipt): ReceiptEvent[] {
  if (state.status === 'issued' && isOpen(state.fiscal)) return [];
  checkAvailable(state, 'resubmit', 'Resubmission');
  const issuer = frozenIssuer(now, state.content);
  if (issuer) checkWindow({ at, authority: issuer.authority, issued_at: state.issue.issued_at, late_reason });
  const facts = { issue_date: state.issue.issue_date, amounts: amountsOf(state.totals) };
  const content = { ...state.content, type: 'receipt' as const, late_reason, ...facts };
  const customer = state.parties.customer ?? undefined;
  const problems = { ...missingOf(now, around), ...(issuer && countryProblems(content, { issuer, numbering: null, customer })) };
  if (!issuer || Object.keys(problems).length > 0) throw invalid(problems);
  return [{ type: 'ReceiptResubmitted', data: { at, round: state.round + 1, issuer, ...(late_reason !== null && { late_reason }) } }];
}

function voidReceipt({ reason, ...command }: Of<'void'>, state: NumberedReceipt): ReceiptEvent[] {
  if (reason === null) throw invalid({ reason: ['is required. Send 3 to 500 characters.'] });
  if (state.status === 'issued' || state.content.corrects !== undefined) checkAvailable(state, 'void', 'Voiding');
  return fiscal(requestVoid({ ...command, reason }, state), state);
}

const fiscal = (events: FiscalEvent[], state: NumberedReceipt): ReceiptEvent[] =>
  events.map((event) => {
    const { type, data } = stored('Receipt', event);
    return { type, data: { ...data, ...settles(event, state) } } as ReceiptEvent;
  });

/** What follows from the outcome of its registration. */
function settles({ type }: FiscalEvent, { content: { corrects }, ...state }: NumberedReceipt): Settles {
  if (corrects !== undefined && (type === 'Registered' || type === 'Rejected')) return { corrects };
  const reversal = state.status === 'voiding' ? state.void.document : undefined;
  return reversal !== undefined && type === 'Registered' ? { reversal } : {};
}
