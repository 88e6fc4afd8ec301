import type { CreateInvoice } from '@svc/contracts/invoice/requests';
import { DomainError, type Decider, type Recorded } from '@svc/kernel';
import { defaultIssuer } from '../../../issuer/issuers.ts';
import { pointOfSale } from '../../../issuer/domain/point-of-sale.ts';
import type { NumberTaken, Numbering } from '../../../numbering/domain/numbering.ts';
import type { Preconditions } from '../content.ts';
import { decide, type InvoiceCommand } from '../decide.ts';
import type { SubmissionPreconditions } from '../submission.ts';
import { invoiceEventVersions, type InvoiceEvent } from '../events.ts';
import { evolve } from '../evolve.ts';
import type { Delay, Registration, Rejection } from '../../../document/domain/fiscal.ts';
import { frozenIssuer, type FrozenCustomer } from '../../../document/domain/parties.ts';
import type { InvoiceState } from '../state.ts';

/** An invoice in every state, and every command. */

export const at = '2026-01-16T12:00:00.000Z';
export const account = 'acct_01jh2k3m4n5p6q7r8s9t0v1w2x';
export const id = 'inv_01jh2k3m4n5p6q7r8s9t0v1w2x';
export const issuer = defaultIssuer(account, 'test');
export const customerId = 'cust_01jh2k3m4n5p6q7r8s9t0v1w2x';
export const body: CreateInvoice = { customer_id: customerId, items: [{ description: 'Consulting', unit_price: 100 }] };
export const preconditions: Preconditions = {
  defaults: issuer,
  today: '2026-01-16',
  customerKnown: true,
  products: new Map(),
  original: null,
};
export const customer: FrozenCustomer = {
  id: customerId,
  name: 'Jo',
  email: null,
  phone: null,
  tax_id: null,
  language: null,
  address: null,
};
export const parties = { issuer: frozenIssuer(issuer, pointOfSale({}, issuer))!, customer };

export const numbering: Numbering = {
  stream: `series-test.${account}.INV.2026`,
  seen: 'none',
  series: 'INV',
  format: '{series}-{year}-{seq:6}',
  year: '2026',
  unit: null,
  device: null,
  first: 1,
  issue_date: null,
  time_zone: 'Europe/Paris',
};
export const taken: NumberTaken = { document: id, seq: 1, number: 'INV-2026-000001', issued_at: at, issue_date: '2026-01-16' };
const tried = (attempts: number) => ({ attempts, last_attempt_at: at });
export const registration: Registration = {
  code: 'F-1',
  issuer_code: null,
  registered_at: at,
  verification_url: 'https://authority.example/F-1',
  late: false,
  ...tried(1),
};
export const rejection: Rejection = { error: { code: 'E1', message: 'no', fixable: 'data' }, ...tried(1) };
export const payment = {
  id: 'pay_01jh2k3m4n5p6q7r8s9t0v1w2x',
  amount: '50.25',
  paid_at: '2026-01-16',
  method: null,
  reference: null,
  metadata: {},
};
const delay = (status: Delay['status']): Delay => ({ status, error: null, next_attempt_at: null, ...tried(1) });
export const submissionPreconditions: SubmissionPreconditions = {
  issuer: parties.issuer,
  missing: {},
  customer,
  numbering,
  original: null,
};
export const refusal = (cancellation: number) => ({ error: { code: 'V1', message: 'not now' }, refused_at: at, cancellation, ...tried(2) });

export const create: Extract<InvoiceCommand, { type: 'create' }> = { type: 'create', at, id, livemode: false, body, preconditions };
export const commands = {
  'PATCH notes': { type: 'revise', at, body: { notes: 'n' }, preconditions },
  'PATCH metadata': { type: 'revise', at, body: { metadata: { a: 'b' } }, preconditions },
  submit: { type: 'submit', at, preconditions: submissionPreconditions, late_reason: null },
  number: { type: 'number', at, request: 1, taken, parties },
  'number again': { type: 'number', at, request: 2, taken, parties },
  'refuse number': { type: 'refuse_number', at, request: 1, details: { issue_date: ['is before'] } },
  'refuse number again': { type: 'refuse_number', at, request: 2, details: { issue_date: ['is before'] } },
  void: { type: 'void', at, reason: 'entered twice' },
  'void without reason': { type: 'void', at, reason: null },
  register: { type: 'register', at, round: 1, registration },
  'register round 2': { type: 'register', at, round: 2, registration },
  amend: { type: 'amend', at, round: 1, amendment: { warnings: [{ code: '2004', message: 'late' }], ...tried(3) } },
  reject: { type: 'reject', at, round: 1, rejection },
  'reject round 2': { type: 'reject', at, round: 2, rejection },
  'delay: unknown': { type: 'delay', at, round: 1, delay: delay('unknown') },
  'delay: review': { type: 'delay', at, round: 1, delay: delay('needs_review') },
  pay: { type: 'record_payment', at, payment, today: '2026-01-16' },
  reverse: { type: 'reverse_payment', at, payment: payment.id },
  cancel: { type: 'cancel', at, cancelled: tried(2) },
  'refuse void': { type: 'refuse_void', at, refusal: refusal(5) },
} satisfies Record<string, InvoiceCommand>;
export type CommandName = keyof typeof commands;

/** The commands that lead to each state. */
export const ways = {
  draft: [],
  'being numbered': ['submit'],
  'being numbered again': ['submit', 'refuse number', 'submit'],
  submitting: ['submit', 'number'],
  'submitting, unknown': ['submit', 'number', 'delay: unknown'],
  'submitting, review': ['submit', 'number', 'delay: review'],
  failed: ['submit', 'number', 'reject'],
  'submitting again': ['submit', 'number', 'reject', 'submit'],
  submitted: ['submit', 'number', 'register'],
  paid: ['submit', 'number', 'register', 'pay'],
  reversed: ['submit', 'number', 'register', 'pay', 'reverse'],
  voiding: ['submit', 'number', 'register', 'void'],
  'void refused': ['submit', 'number', 'register', 'void', 'refuse void'],
  'voiding again': ['submit', 'number', 'register', 'void', 'refuse void', 'void'],
  voided: ['submit', 'number', 'register', 'void', 'cancel'],
  'voided draft': ['void'],
  'voided after failure': ['submit', 'number', 'reject', 'void'],
} satisfies Record<string, CommandName[]>;
export type StateName = keyof typeof ways;

/** The events of a draft and of each command after it. */
export function eventsOf(names: readonly CommandName[], first: InvoiceCommand = create): InvoiceEvent[] {
  const events: InvoiceEvent[] = [];
  for (const command of [first, ...names.map((name) => commands[name])]) events.push(...decide(command, fold(events)));
  return events;
}

export const fold = (events: readonly InvoiceEvent[]): InvoiceState | null => events.reduce<InvoiceState | null>(evolve, null);
export const inState = (name: StateName): InvoiceState => fold(eventsOf(ways[name]))!;

/** The events as the store returns them. */
export const recordedOn =
  (stream: string, versions: Readonly<Record<string, number>> = invoiceEventVersions) =>
  ({ type, data }: { type: string; data: object }, n: number): Recorded => ({
    id: '01jh2k3m4n5p6q7r8s9t0v1w2x',
    type,
    data,
    metadata: { v: versions[type] ?? 1, account, env: 'test' },
    stream,
    revision: BigInt(n),
    recordedAt: 0,
    bytes: 0,
    position: BigInt(n + 1),
  });

/** The result of a command: the types of its events, or the code of the error with the fields that it names. */
export function outcomeOf<State, Command, Event extends { type: string }>(
  decider: Decider<State, Command, Event>,
  command: Command,
  state: State,
): string {
  try {
    return (
      decider
        .decide(command, state)
        .map(({ type }) => type)
        .join(' + ') || 'nothing'
    );
  } catch (error) {
    if (error instanceof DomainError) return [error.code, ...Object.keys(error.details ?? {})].join(' ');
    throw error;
  }
}
