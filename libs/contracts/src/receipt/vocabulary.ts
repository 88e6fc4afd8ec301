import { vocabulary } from '../schema/vocabulary.ts';

export const receiptStatuses = vocabulary('ReceiptStatus', ['issued', 'voiding', 'voided']);
export type ReceiptStatus = (typeof receiptStatuses)[number];

export const receiptTypes = vocabulary('ReceiptType', ['receipt', 'corrective']);
export type ReceiptType = (typeof receiptTypes)[number];

export const receiptActions = vocabulary('ReceiptAction', ['resubmit', 'void', 'resolve']);
export type ReceiptAction = (typeof receiptActions)[number];
