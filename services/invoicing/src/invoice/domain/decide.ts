import type { CreateInvoice, UpdateInvoice } from '@svc/contracts/invoice/requests';
import { type Decider, invalid, notFound } from '@svc/kernel';
import { balance, checkAvailable, refusedIn, unavailableActions } from './actions.ts';
import { changedFields, differing, newContent, revisedContent, type Preconditions } from './content.ts';
import { reserve, settle, type CorrectionCommand } from './correct.ts';
import type { InvoiceEvent } from './events.ts';
import { evolve } from './evolve.ts';
import { correctedOf } from '../../document/domain/state.ts';
import { stored, type FiscalEvent } from '../../document/domain/events.ts';
import { decideOutcome, endReversal, requestVoid, type DocumentCommand } from '../../document/domain/outcome.ts';
import { negated } from '../../document/domain/reversal.ts';
import { asks, changedTotals, refuseResubmission, resubmit, settles, settleTotals, submit, type SubmissionCommand } from './submission.ts';
import { findPayment, recordPayment, type PaymentCommand, type PaymentEvent } from './payments.ts';
import { isNumbered, type InvoiceState, type NumberedInvoice, type Voiding } from './state.ts';

export type InvoiceCommand =
  | ({ at: string } & (
      | { type: 'create'; id: string; livemode: boolean; body: CreateInvoice; preconditions: Preconditions }
      | { type: 'revise'; body: UpdateInvoice; preconditions: Preconditions }
    ))
  | PaymentCommand
  | SubmissionCommand
  | CorrectionCommand
  | DocumentCommand;
type Of<Type extends InvoiceCommand['type']> = Extract<InvoiceCommand, { type: Type }>;

/** What callers ask and cannot have is refused; what the authority or a second actor reports too late changes nothing. */
export function decide(command: InvoiceCommand, state: InvoiceState | null): InvoiceEvent[] {
  if (command.type === 'create') return state === null ? create(command) : [];
  if (command.type === 'reverse') return state === null ? reverse(command) : [];
  if (state === null) throw new TypeError('an invoice is created first');
  switch (command.type) {
    case 'revise':
      return revise(command, state);
    case 'submit':
      return submit(command, state);
    case 'number':
      return asks(state, command.request) ? [number(command)] : [];
    case 'refuse_number':
      return asks(state, command.request) ? refuseNumber(command, state) : [];
    case 'resubmit':
      return resubmit(command, state);
    case 'refuse_resubmission':
      return state.status === 'being_resubmitted' && state.attempt === command.attempt ? [refuseResubmission(command, state)] : [];
    case 'settle_totals':
      return settleTotals(command, state);
    case 'void':
      return voidInvoice(command, state);
    case 'record_payment':
      return recordAvailable(command, state);
    case 'reverse_payment':
      return reversePayment(command, state);
    case 'reserve_correction':
      return reserve(command, state);
    case 'apply_correction':
    case 'release_correction':
      return settle(command, state);
    case 'end_reversal':
      return isNumbered(state) ? fiscal(endReversal(command, state), state) : [];
    default:
      return isNumbered(state) ? fiscal(decideOutcome(command, state), state) : [];
  }
}

export const invoiceDecider: Decider<InvoiceState | null, InvoiceCommand, InvoiceEvent> = { initialState: null, decide, evolve };

function number({ at, taken, parties: { issuer, customer } }: Of<'number'>): InvoiceEvent {
  if (customer === null) throw new TypeError('an invoice has a customer');
  const { number, seq, issued_at, issue_date } = taken;
  return { type: 'InvoiceNumbered', data: { at, number, seq, issued_at, issue_date, parties: { issuer, customer } } };
}

/** What carries out a void asks once: without a number it is void itself. */
function refuseNumber({ at, details }: Of<'refuse_number'>, state: InvoiceState): InvoiceEvent[] {
  const refused: InvoiceEvent = { type: 'InvoiceSubmissionRefused', data: { at, details, ...settles(state) } };
  return state.reversal ? [refused, { type: 'InvoiceVoided', data: { at, reason: null, cancelled: null, ...settles(state) } }] : [refused];
}

const fiscal = (events: FiscalEvent[], state: InvoiceState): InvoiceEvent[] =>
  events.map((event) => {
    const { type, data } = stored('Invoice', event);
    return { type, data: { ...data, ...(SETTLING.has(type) ? settles(state) : {}) } } as InvoiceEvent;
  });
/** What ends a submission, or what came of it. */
const SETTLING: ReadonlySet<InvoiceEvent['type']> = new Set(['InvoiceRegistered', 'InvoiceRejected', 'InvoiceVoided']);

function create({ at, id, livemode, body, preconditions }: Of<'create'>): InvoiceEvent[] {
  const written = newContent({ id, body }, preconditions);
  const type = written.content.corrects === null ? 'InvoiceDrafted' : 'InvoiceCorrectionDrafted';
  return [{ type, data: { at, id, livemode, ...written } } as InvoiceEvent];
}

/** The corrective by which a registered invoice is voided: with its parties, as a legal record, whatever became of them since. It asks for its number at once. */
function reverse({ at, original }: Of<'reverse'>): InvoiceEvent[] {
  const { id, livemode, parties, void: request, numbering } = original as NumberedInvoice & Voiding;
  if (request.document === undefined || !numbering) throw new TypeError('an invoice that is annulled has no corrective');
  const { content, totals } = negated(original as NumberedInvoice & Voiding);
  const own = { type: 'corrective' as const, corrects: id, series: numbering.series, issue_date: null, due_date: null };
  return [
    { type: 'InvoiceReversalDrafted', data: { at, id: request.document, livemode, content: { ...content, ...own }, totals } },
    { type: 'InvoiceSubmissionRequested', data: { at, numbering, parties, late_reason: null, corrected: correctedOf(original) } },
  ];
}

/** Fixed with the number. */
const FIXED = ['type', 'currency', 'series', 'corrects', 'issue_date', 'exchange_rate', 'unit', 'device'] as const;

function revise({ at, body, preconditions }: Of<'revise'>, state: InvoiceState): InvoiceEvent[] {
  const now = state.content;
  if (!isEditable(state) && changedFields(body, now, preconditions).some((field) => field !== 'metadata'))
    checkAvailable(state, 'update', 'Changing more than metadata');
  const { content, totals } = revisedContent({ id: state.id, body }, state, preconditions);
  const fields = differing(content, now);
  if (fields.length === 0) return [];
  const fixed = state.status === 'failed' ? FIXED.filter((field) => fields.includes(field)) : [];
  if (fixed.length > 0) throw invalid(Object.fromEntries(fixed.map((field) => [field, ['is fixed since the invoice has its number.']])));
  const changes: Extract<InvoiceEvent, { type: 'InvoiceRevised' }>['data']['changes'] = Object.fromEntries(
    fields.map((field) => [field, content[field]]),
  );
  return [{ type: 'InvoiceRevised', data: { at, changes, ...changedTotals(totals, state) } }];
}

/** Else its metadata alone can be changed. */
export const isEditable = (state: InvoiceState): boolean => unavailableActions(state).update === undefined;

function voidInvoice({ at, reason, ...command }: Of<'void'>, state: InvoiceState): InvoiceEvent[] {
  if (state.status === 'voiding' || state.status === 'voided') return [];
  checkAvailable(state, 'void', 'Voiding');
  if (!isNumbered(state)) return [{ type: 'InvoiceVoided', data: { at, reason, cancelled: null, ...settles(state) } }];
  if (reason === null) throw invalid({ reason: ['is required: the invoice has its number. Send 3 to 500 characters.'] });
  return fiscal(requestVoid({ at, reason, ...command }, state), state);
}

/** Repeated it changes nothing. Where nothing is due the amount is wrong. */
function recordAvailable(command: Extract<PaymentCommand, { type: 'record_payment' }>, state: InvoiceState): PaymentEvent[] {
  if (state.status !== 'submitted' || state.reversal)
    throw refusedIn(state, 'Recording a payment', unavailableActions(state).record_payment);
  const found = balance(state);
  if (!findPayment(state.payments, command.payment.id) && found.status !== 'paid')
    checkAvailable(state, 'record_payment', 'Recording a payment');
  return recordPayment(command, state, found);
}

/** Repeated it changes nothing. */
function reversePayment({ at, payment: id }: Of<'reverse_payment'>, state: InvoiceState): PaymentEvent[] {
  const payment = isNumbered(state) ? findPayment(state.payments, id) : undefined;
  if (!payment) throw notFound('payment');
  if (payment.reversed_at !== null) return [];
  if (state.status !== 'submitted') throw refusedIn(state, 'Reversing a payment');
  return [{ type: 'InvoicePaymentReversed', data: { at, payment: id } }];
}
