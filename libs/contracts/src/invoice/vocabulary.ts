export const invoiceStatuses = ['draft', 'submitting', 'submitted', 'failed', 'voiding', 'voided'] as const;
export type InvoiceStatus = (typeof invoiceStatuses)[number];

export const invoiceActions = ['update', 'submit', 'void', 'resolve', 'record_payment'] as const;
export type InvoiceAction = (typeof invoiceActions)[number];

export const paymentStatuses = ['unpaid', 'partial', 'paid'] as const;
export type PaymentStatus = (typeof paymentStatuses)[number];
