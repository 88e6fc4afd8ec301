import { vocabulary } from '../schema/vocabulary.ts';
import type { Transition } from '../document/transition.ts';

export const invoiceStatuses = vocabulary('InvoiceStatus', ['draft', 'submitting', 'submitted', 'failed', 'voiding', 'voided']);
export type InvoiceStatus = (typeof invoiceStatuses)[number];

export const invoiceActions = vocabulary('InvoiceAction', ['update', 'submit', 'void', 'resolve', 'record_payment']);
export type InvoiceAction = (typeof invoiceActions)[number];

export const paymentStatuses = vocabulary('PaymentStatus', ['unpaid', 'partial', 'paid']);
export type PaymentStatus = (typeof paymentStatuses)[number];

/** Every change of an invoice’s status, and what changes it without a change of status. */
export const invoiceTransitions = [
  { from: [], by: '`POST /v1/invoices`', to: 'draft', event: 'invoice.created' },
  { from: ['draft', 'failed'], by: '`PATCH /v1/invoices/{id}`', to: 'same', event: 'invoice.updated' },
  { from: ['draft', 'failed'], by: '`POST /v1/invoices/{id}/submit`', to: 'submitting', event: 'invoice.updated' },
  { from: ['submitting'], by: 'the authority has not answered; `fiscal.status` says more', to: 'same', event: 'invoice.updated' },
  { from: ['submitting'], by: 'the authority registers it', to: 'submitted', event: 'invoice.submitted' },
  {
    from: ['submitting'],
    by: 'the authority rejects it, or its deadline passes before it was sent',
    to: 'failed',
    event: 'invoice.failed',
  },
  { from: ['draft', 'failed'], by: '`POST /v1/invoices/{id}/void`', to: 'voided', event: 'invoice.voided' },
  { from: ['submitted'], by: '`POST /v1/invoices/{id}/void`', to: 'voiding', event: 'invoice.updated' },
  { from: ['voiding'], by: 'the authority confirms, or nothing needs to be confirmed', to: 'voided', event: 'invoice.voided' },
  { from: ['voiding'], by: 'the authority refuses; `void.error` says why', to: 'submitted', event: 'invoice.updated' },
  {
    from: ['submitted', 'voiding'],
    by: 'another record replaces the one that the authority found wrong; `fiscal.warnings` says what still is',
    to: 'same',
    event: 'invoice.updated',
  },
  { from: ['submitted'], by: 'a payment is recorded or reversed', to: 'same', event: 'invoice.updated' },
  {
    from: ['submitting', 'submitted', 'voiding', 'voided'],
    by: '`PATCH /v1/invoices/{id}` of `metadata` alone',
    to: 'same',
    event: 'invoice.updated',
  },
] as const satisfies readonly Transition<InvoiceStatus>[];
