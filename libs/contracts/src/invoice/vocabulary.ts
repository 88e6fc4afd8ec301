import { vocabulary } from '../schema/vocabulary.ts';

export const invoiceStatuses = vocabulary('InvoiceStatus', ['draft', 'submitting', 'submitted', 'failed', 'voiding', 'voided']);
export type InvoiceStatus = (typeof invoiceStatuses)[number];

export const invoiceActions = vocabulary('InvoiceAction', ['update', 'submit', 'void', 'resolve', 'record_payment']);
export type InvoiceAction = (typeof invoiceActions)[number];

export const paymentStatuses = vocabulary('PaymentStatus', ['unpaid', 'partial', 'paid']);
export type PaymentStatus = (typeof paymentStatuses)[number];
