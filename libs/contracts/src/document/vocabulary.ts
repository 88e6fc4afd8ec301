import { vocabulary } from '../schema/vocabulary.ts';

/** The closed lists of document fields. */
export const documentTypes = vocabulary('DocumentType', ['standard', 'credit_note', 'corrective']);
export type DocumentType = (typeof documentTypes)[number];

export const paymentMethods = vocabulary('PaymentMethod', ['cash', 'card', 'check', 'transfer', 'voucher', 'other']);
export type PaymentMethod = (typeof paymentMethods)[number];

/** Spain's kinds of corrections that name their customer (L2 of the record design): error of law, insolvency, uncollectable, all others. */
export const correctionCodes = vocabulary('CorrectionCode', ['R1', 'R2', 'R3', 'R4']);
export type CorrectionCode = (typeof correctionCodes)[number];

export { roundings, type Rounding } from '../issuer/vocabulary.ts';

export const fiscalStatuses = vocabulary('FiscalStatus', ['pending', 'unknown', 'registered', 'rejected', 'needs_review', 'cancelled']);
export type FiscalStatus = (typeof fiscalStatuses)[number];

export const historyTypes = vocabulary('HistoryType', [
  'created',
  'updated',
  'submission_requested',
  'numbered',
  'registered',
  'delayed',
  'rejected',
  'void_requested',
  'voided',
  'void_refused',
  'payment_recorded',
  'payment_reversed',
]);
export type HistoryType = (typeof historyTypes)[number];
