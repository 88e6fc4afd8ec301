/** The closed lists of document fields. */
export const documentTypes = ['standard', 'credit_note', 'corrective'] as const;
export type DocumentType = (typeof documentTypes)[number];

export const paymentMethods = ['cash', 'card', 'check', 'transfer', 'voucher', 'other'] as const;
export type PaymentMethod = (typeof paymentMethods)[number];

export const roundings = ['line', 'precise'] as const;
export type Rounding = (typeof roundings)[number];

export const fiscalStatuses = ['pending', 'unknown', 'registered', 'rejected', 'needs_review', 'cancelled'] as const;
export type FiscalStatus = (typeof fiscalStatuses)[number];

/** What has to be fixed before a rejected document can be submitted again. */
export const fixables = ['data', 'credentials', 'setup'] as const;
export type Fixable = (typeof fixables)[number];

export const historyTypes = [
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
] as const;
export type HistoryType = (typeof historyTypes)[number];
