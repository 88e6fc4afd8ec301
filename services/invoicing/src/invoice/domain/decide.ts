import { simulationProblem } from '@svc/contracts/document/simulation';
import type { CreateInvoice, UpdateInvoice } from '@svc/contracts/invoice/requests';
import { type Decider, type Details, detailsOf, invalid, notFound, DomainError, sameJson } from '@svc/kernel';
import { dueBeforeIssue, type Numbering } from '../../numbering/domain/numbering.ts';
import { checkedTotals } from '@svc/totals/totals';
import type { Totals } from '@svc/totals/terms';
import { totalProblems } from '../../document/domain/kinds.ts';
import { balance, checkAvailable, refusedIn, unavailableActions } from './actions.ts';
import { changedFields, differing, newContent, revisedContent, type Preconditions } from './content.ts';
import { correctionProblems, reserve, settle, settledBy, streamIsFull, type CorrectionCommand, type Original } from './correct.ts';
import type { InvoiceEvent, Settles } from './events.ts';
import { evolve } from './evolve.ts';
import { countryProblems } from '../../document/domain/country-rules.ts';
import { correctedOf } from '../../document/domain/corrected.ts';
import { stored, type FiscalEvent } from '../../document/domain/events.ts';
import { decideOutcome, endReversal, requestVoid, type DocumentCommand } from '../../document/domain/outcome.ts';
import { noAuthority, parted, type FrozenCustomer, type FrozenIssuer } from '../../document/domain/parties.ts';
import { negated } from '../../document/domain/reversal.ts';
import { exemptionProblems } from './exemptions.ts';
import { findPayment, recordPayment, type PaymentCommand, type PaymentEvent } from './payments.ts';
import { isNumbered, type InvoiceState, type NumberedInvoice, type Voiding } from './state.ts';

/** What a submission needs from outside the invoice, as it is at the time. */
export interface SubmissionPreconditions {
  /** undefined: no authority is set. */
  issuer: FrozenIssuer | undefined;
  /** undefined: deleted. */
  customer: FrozenCustomer | undefined;
  /** Of a draft; a refusal where its series cannot take it. Under the number it has: null. */
  numbering: Numbering | DomainError | null;
  /** The invoice that it corrects; null where it corrects none, none that exists, or one that has decided already. */
  original: Original | null;
}

export type InvoiceCommand =
  | ({ at: string } & (
      | { type: 'create'; id: string; livemode: boolean; body: CreateInvoice; preconditions: Preconditions }
      | { type: 'revise'; body: UpdateInvoice; preconditions: Preconditions }
      | { type: 'submit'; preconditions: SubmissionPreconditions; late_reason: string | null }
      /** The answer of the original to a rejected correction: it holds the amounts, or `details` say why not. */
      | { type: 'resubmit'; attempt: number; preconditions: SubmissionPreconditions }
      | { type: 'refuse_resubmission'; attempt: number; details: Details }
      /** The totals with which the original has reserved this submission. */
      | { type: 'settle_totals'; attempt: number; totals: Totals }
    ))
  | PaymentCommand
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

const asks = (state: InvoiceState, request: number): boolean => state.status === 'being_numbered' && state.request === request;

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

/** The invoice that a correction corrects is informed of the outcome. */
const settles = ({ content: { corrects } }: InvoiceState): Settles => (corrects === null ? {} : { corrects });

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
const FIXED = ['type', 'currency', 'series', 'corrects', 'issue_date', 'exchange_rate'] as const;

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

const changedTotals = (totals: Totals, state: InvoiceState): { totals?: Totals } =>
  totals === state.totals || sameJson(totals, state.totals) ? {} : { totals };

/** Else its metadata alone can be changed. */
export const isEditable = (state: InvoiceState): boolean => unavailableActions(state).update === undefined;

function submit({ at, preconditions, late_reason }: Of<'submit'>, state: InvoiceState): InvoiceEvent[] {
  const { status } = state;
  if (status === 'being_numbered' || status === 'being_resubmitted' || status === 'submitting' || status === 'submitted') return [];
  checkAvailable(state, 'submit', 'Submission');
  const { issuer, customer, numbering, original } = preconditions;
  const problems = { ...submissionProblems(state, preconditions), ...simulationProblems(state) };
  // A draft may have been written under other rules, or before other corrections: it is issued under those of today.
  const own = status === 'draft' ? checkedTotals(state.content, [], problems, state) : state.totals;
  const totals = settledBy(original?.state ?? null, { ...state, totals: own });
  const all = { ...problems, ...limitProblems(original, state, totals) };
  if (!issuer || !customer || Object.keys(all).length > 0) throw invalid(all);
  const parties = { issuer, customer };
  if (status === 'failed' && state.content.corrects !== null) return [{ type: 'InvoiceResubmissionRequested', data: { at, late_reason } }];
  if (status === 'failed') return [{ type: 'InvoiceResubmitted', data: { at, round: state.round + 1, parties, late_reason } }];
  if (numbering === null) throw new TypeError('a draft is submitted with its numbering');
  const revised = changedTotals(totals, state);
  if (numbering instanceof DomainError) throw numbering;
  const { named, personal } = parted(customer);
  const corrects = original?.state;
  const corrected = corrects && isNumbered(corrects) ? { corrected: correctedOf(corrects) } : {};
  return [
    ...(revised.totals ? [{ type: 'InvoiceRevised' as const, data: { at, changes: {}, ...revised } }] : []),
    {
      type: 'InvoiceSubmissionRequested',
      data: { at, numbering, parties: { issuer, customer: named }, personal, late_reason, ...corrected },
    },
  ];
}

/** Only by the rounding of what is left of the original do they change: only the process manager requests it. */
function settleTotals({ at, attempt, totals }: Of<'settle_totals'>, state: InvoiceState): InvoiceEvent[] {
  const isAsking = asks(state, attempt) || (state.status === 'being_resubmitted' && state.attempt === attempt);
  const changed = isAsking ? changedTotals(totals, state) : {};
  return changed.totals ? [{ type: 'InvoiceRevised', data: { at, changes: {}, ...changed } }] : [];
}

/** Under the number that it has, once the invoice that it corrects holds its amounts. */
function resubmit({ at, attempt, preconditions }: Of<'resubmit'>, state: InvoiceState): InvoiceEvent[] {
  if (state.status !== 'being_resubmitted' || state.attempt !== attempt) return [];
  const { issuer, customer } = preconditions;
  const details = submissionProblems(state, preconditions);
  if (!issuer || !customer || Object.keys(details).length > 0) return [refuseResubmission({ at, details }, state)];
  const { late_reason, round } = state;
  return [{ type: 'InvoiceResubmitted', data: { at, round: round + 1, parties: { issuer, customer }, late_reason } }];
}

const refuseResubmission = ({ at, details }: { at: string; details: Details }, state: InvoiceState): InvoiceEvent => ({
  type: 'InvoiceResubmissionRefused',
  data: { at, details, ...settles(state) },
});

/** What keeps it from being submitted, before a number is spent. */
function submissionProblems(
  { livemode, content, totals }: InvoiceState,
  { issuer, customer, numbering }: SubmissionPreconditions,
): Details {
  const { type, items, issue_date: issued, due_date: due } = content;
  const bare = items.flatMap(({ description }, n) =>
    description === null ? [[`items.${n}.description`, ['is needed for submission.']] as const] : [],
  );
  return {
    ...totalProblems(type, totals.total, 'submission'),
    ...Object.fromEntries(bare),
    ...exemptionProblems(items),
    ...(issued && due && due < issued ? dueBeforeIssue(due, issued) : {}),
    ...(customer ? {} : { customer_id: ['names a customer that was deleted. Name another.'] }),
    ...(issuer ? countryProblems(content, { issuer, numbering, customer }) : noAuthority(livemode)),
  };
}

/** until 0.3: release 0.1.0 takes any text for a simulation. */
function simulationProblems({ livemode, content }: InvoiceState): Details {
  const problem = livemode ? undefined : simulationProblem(content.metadata);
  return problem ? detailsOf([problem]) : {};
}

/** Why the invoice that it corrects cannot be corrected by it now. */
const limitProblems = (original: Original | null, { id, content }: InvoiceState, { total }: Totals): Details =>
  original ? { ...(original.isFull ? streamIsFull : {}), ...correctionProblems(original.state, { document: id, ...content, total }) } : {};

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
