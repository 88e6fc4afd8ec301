export const receiptStatuses = ['issued', 'voiding', 'voided'] as const;
export type ReceiptStatus = (typeof receiptStatuses)[number];

export const receiptTypes = ['receipt', 'corrective'] as const;
export type ReceiptType = (typeof receiptTypes)[number];

export const receiptActions = ['resubmit', 'void', 'resolve'] as const;
export type ReceiptAction = (typeof receiptActions)[number];
