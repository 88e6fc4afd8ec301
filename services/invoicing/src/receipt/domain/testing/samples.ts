import type { CreateReceipt } from '@svc/contracts/receipt/requests';
import {
  commands as invoiceCommands,
  issuer,
  numbering,
  parties,
  taken as invoiceNumber,
} from '../../../invoice/domain/testing/samples.ts';
import type { FiscalError } from '../../../document/domain/fiscal.ts';
import { decide, type ReceiptCommand, type ReceiptPreconditions } from '../decide.ts';
import type { ReceiptEvent } from '../events.ts';
import { evolve } from '../evolve.ts';
import type { ReceiptState } from '../state.ts';

/** A receipt in every state, and every command. */

export const at = '2026-01-16T12:00:00.000Z';
export const id = 'rcp_01jh2k3m4n5p6q7r8s9t0v1w2x';
export const body: CreateReceipt = { items: [{ description: 'Coffee', unit_price: 12 }], payment_method: 'cash' };
export const preconditions: ReceiptPreconditions = {
  issuer,
  customer: undefined,
  products: new Map(),
  numbering: { ...numbering, series: 'RCP' },
  lacking: { live: {}, test: {} },
};
export const taken = { ...invoiceNumber, document: id, number: 'RCP-2026-000001' };

export const create: Extract<ReceiptCommand, { type: 'create' }> = { type: 'create', at, id, livemode: false, body, preconditions };
const rejectedFor = (fixable: FiscalError['fixable']) => ({
  ...invoiceCommands.reject,
  rejection: { ...invoiceCommands.reject.rejection, error: { code: 'E1', message: 'no', fixable } },
});
export const commands = {
  number: { type: 'number', at, request: 1, taken, parties: { issuer: parties.issuer, customer: null } },
  'refuse number': { type: 'refuse_number', at, request: 1, details: { customer_id: ['was erased'] } },
  resubmit: { type: 'resubmit', at, issuer, around: { lacking: { live: {}, test: {} } }, late_reason: null },
  void: { type: 'void', at, reason: 'wrong till' },
  register: invoiceCommands.register,
  'register round 2': invoiceCommands['register round 2'],
  amend: invoiceCommands.amend,
  'reject: data': rejectedFor('data'),
  'reject: setup': rejectedFor('setup'),
  'delay: unknown': invoiceCommands['delay: unknown'],
  'delay: review': invoiceCommands['delay: review'],
  cancel: invoiceCommands.cancel,
  'refuse void': invoiceCommands['refuse void'],
} satisfies Record<string, ReceiptCommand>;
export type CommandName = keyof typeof commands;

/** The commands that lead to each visible state. */
export const ways = {
  issued: ['number'],
  unknown: ['number', 'delay: unknown'],
  review: ['number', 'delay: review'],
  registered: ['number', 'register'],
  'rejected for data': ['number', 'reject: data'],
  'rejected for setup': ['number', 'reject: setup'],
  'issued again': ['number', 'reject: setup', 'resubmit'],
  'void requested': ['number', 'void'],
  'void requested, review': ['number', 'void', 'delay: review'],
  voiding: ['number', 'register', 'void'],
  'voiding as requested': ['number', 'void', 'register'],
  'void refused': ['number', 'register', 'void', 'refuse void'],
  'voiding again': ['number', 'register', 'void', 'refuse void', 'void'],
  voided: ['number', 'register', 'void', 'cancel'],
  'void without registration': ['number', 'void', 'reject: data'],
} satisfies Record<string, CommandName[]>;
export type StateName = keyof typeof ways;

export function eventsOf(names: readonly CommandName[]): ReceiptEvent[] {
  const events: ReceiptEvent[] = [];
  for (const command of [create, ...names.map((name) => commands[name])]) events.push(...decide(command, fold(events)));
  return events;
}

export const fold = (events: readonly ReceiptEvent[]): ReceiptState | null => events.reduce<ReceiptState | null>(evolve, null);
export const inState = (name: StateName): ReceiptState => fold(eventsOf(ways[name]))!;
