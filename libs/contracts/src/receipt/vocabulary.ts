export const receiptStatuses = ['issued', 'voiding', 'voided'] as const;
export type ReceiptStatus = (typeof receiptStatuses)[number];

export const receiptActions = ['resubmit', 'void', 'resolve'] as const;
export type ReceiptAction = (typeof receiptActions)[number];
