import type { CreateInvoice, UpdateInvoice } from '@svc/contracts/invoice/requests';
import { type Decider, type Details, invalid, invalidState, DomainError, sameJson } from '@svc/kernel';
import type { Numbering } from '../../series/domain/numbering.ts';
import { checkedTotals } from '../../totals/totals.ts';
import type { Totals } from '../../totals/terms.ts';
import { availableActions, publicStatus } from './actions.ts';
import { newContent, revisedContent, type Preconditions } from './content.ts';
import type { InvoiceEvent } from './events.ts';
import { evolve } from './evolve.ts';
import { stored, type FiscalEvent } from '../../document/domain/events.ts';
import { decideOutcome, requestVoid, type DocumentCommand } from '../../document/domain/outcome.ts';
import { noAuthority, parted, type FrozenCustomer, type FrozenIssuer } from '../../document/domain/parties.ts';
import { exemptionProblems } from './exemptions.ts';
import { isNumbered, type InvoiceContent, type InvoiceState } from './state.ts';

/** What a submission needs from outside the invoice, as it is at the time. */
export interface SubmissionPreconditions {
  /** undefined: no authority is set. */
  issuer: FrozenIssuer | undefined;
  /** undefined: deleted. */
  customer: FrozenCustomer | undefined;
  /** Of a draft; a refusal where its series cannot take it. Under the number it has: null. */
  numbering: Numbering | DomainError | null;
}

export type InvoiceCommand =
  | ({ at: string } & (
      | { type: 'create'; id: string; livemode: boolean; body: CreateInvoice; preconditions: Preconditions }
      | { type: 'revise'; body: UpdateInvoice; preconditions: Preconditions }
      | { type: 'submit'; preconditions: SubmissionPreconditions; late_reason: string | null }
    ))
  | DocumentCommand;
type Of<Type extends InvoiceCommand['type']> = Extract<InvoiceCommand, { type: Type }>;

/** What callers ask and cannot have is refused; what the authority or a second actor tells too late changes nothing. */
export function decide(command: InvoiceCommand, state: InvoiceState | null): InvoiceEvent[] {
  if (command.type === 'create') return state === null ? create(command) : [];
  if (state === null) throw new TypeError('an invoice is created first');
  switch (command.type) {
    case 'revise':
      return revise(command, state);
    case 'submit':
      return submit(command, state);
    case 'number':
      return asks(state, command.request) ? [number(command)] : [];
    case 'refuse_number':
      return asks(state, command.request) ? [{ type: 'InvoiceSubmissionRefused', data: { at: command.at, details: command.details } }] : [];
    case 'void':
      return voidInvoice(command, state);
    default:
      return isNumbered(state) ? fiscal(decideOutcome(command, state)) : [];
  }
}

export const invoiceDecider: Decider<InvoiceState | null, InvoiceCommand, InvoiceEvent> = { initialState: null, decide, evolve };

const asks = (state: InvoiceState, request: number): boolean => state.status === 'being_numbered' && state.request === request;

function number({ at, taken, parties: { issuer, customer } }: Of<'number'>): InvoiceEvent {
  if (customer === null) throw new TypeError('an invoice has a customer');
  const { number, seq, issued_at, issue_date } = taken;
  return { type: 'InvoiceNumbered', data: { at, number, seq, issued_at, issue_date, parties: { issuer, customer } } };
}

const fiscal = (events: FiscalEvent[]): InvoiceEvent[] => events.map((event) => stored('Invoice', event));

const create = ({ at, id, livemode, body, preconditions }: Of<'create'>): InvoiceEvent[] => [
  { type: 'InvoiceDrafted', data: { at, id, livemode, ...newContent(body, preconditions) } },
];

/** Fixed with the number. */
const FIXED = ['type', 'currency', 'series', 'corrects', 'issue_date'] as const;

function revise({ at, body, preconditions }: Of<'revise'>, state: InvoiceState): InvoiceEvent[] {
  const editable = state.status === 'draft' || state.status === 'failed';
  if (!editable && Object.keys(body).some((field) => field !== 'metadata')) {
    throw refusedIn(state, 'Changing more than metadata');
  }
  const now = state.content;
  const { content, totals } = revisedContent(body, state, preconditions);
  const fields = (Object.keys(content) as (keyof InvoiceContent)[]).filter((field) => !sameJson(content[field], now[field]));
  if (fields.length === 0) return [];
  const fixed = state.status === 'failed' ? FIXED.filter((field) => fields.includes(field)) : [];
  if (fixed.length > 0) throw invalid(Object.fromEntries(fixed.map((field) => [field, ['is fixed since the invoice has its number.']])));
  const changes: Partial<InvoiceContent> = Object.fromEntries(fields.map((field) => [field, content[field]]));
  return [{ type: 'InvoiceRevised', data: { at, changes, ...changedTotals(totals, state) } }];
}

const changedTotals = (totals: Totals, state: InvoiceState): { totals?: Totals } =>
  totals === state.totals || sameJson(totals, state.totals) ? {} : { totals };

function submit({ at, preconditions, late_reason }: Of<'submit'>, state: InvoiceState): InvoiceEvent[] {
  const { status } = state;
  if (status === 'being_numbered' || status === 'submitting' || status === 'submitted') return [];
  if (status !== 'draft' && status !== 'failed') throw refusedIn(state, 'Submission');
  const { issuer, customer, numbering } = preconditions;
  const problems = submissionProblems(state.content, preconditions);
  if (!issuer || !customer || Object.keys(problems).length > 0) throw invalid(problems);
  const parties = { issuer, customer };
  if (status === 'failed') return [{ type: 'InvoiceResubmitted', data: { at, round: state.round + 1, parties, late_reason } }];
  if (numbering === null) throw new TypeError('a draft is submitted with its numbering');
  // A draft may have been written under the rules of an earlier release: it is issued under those of today.
  const revised = changedTotals(checkedTotals(state.content, [], {}, state), state);
  if (numbering instanceof DomainError) throw numbering;
  const { named, personal } = parted(customer);
  return [
    ...(revised.totals ? [{ type: 'InvoiceRevised' as const, data: { at, changes: {}, ...revised } }] : []),
    { type: 'InvoiceSubmissionRequested', data: { at, numbering, parties: { issuer, customer: named }, personal, late_reason } },
  ];
}

/** What keeps it from being submitted, before a number is spent. */
function submissionProblems({ items }: InvoiceContent, { issuer, customer }: SubmissionPreconditions): Details {
  const bare = items.flatMap(({ description }, n) =>
    description === null ? [[`items.${n}.description`, ['is needed for submission.']] as const] : [],
  );
  return {
    ...Object.fromEntries(bare),
    ...exemptionProblems(items),
    ...(customer ? {} : { customer_id: ['names a customer that was deleted. Name another.'] }),
    ...(issuer ? {} : noAuthority),
  };
}

function voidInvoice({ at, reason }: Of<'void'>, state: InvoiceState): InvoiceEvent[] {
  if (state.status === 'draft') return [{ type: 'InvoiceVoided', data: { at, reason, cancelled: null } }];
  if (state.status === 'submitting' || state.status === 'being_numbered') throw refusedIn(state, 'Voiding');
  if (!isNumbered(state) || state.status === 'voiding' || state.status === 'voided') return [];
  if (reason === null) throw invalid({ reason: ['is required: the invoice has its number. Send 3 to 500 characters.'] });
  return fiscal(requestVoid({ at, reason }, state));
}

const refusedIn = (state: InvoiceState, what: string): DomainError => invalidState(what, publicStatus(state), availableActions(state));
