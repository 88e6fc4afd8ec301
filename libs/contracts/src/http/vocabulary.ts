/** The closed lists of the interface: every enumerated field names one of these. */
export const documentTypes = ['standard', 'credit_note', 'corrective'] as const;
export type DocumentType = (typeof documentTypes)[number];
/** What an invoice can be created as today. */
export const servedDocumentTypes = ['standard'] as const satisfies readonly DocumentType[];

export const invoiceStatuses = ['draft', 'submitting', 'submitted', 'failed', 'voiding', 'voided'] as const;
export type InvoiceStatus = (typeof invoiceStatuses)[number];

export const receiptStatuses = ['issued', 'voiding', 'voided'] as const;
export type ReceiptStatus = (typeof receiptStatuses)[number];

export const invoiceActions = ['update', 'submit', 'void', 'resolve', 'record_payment'] as const;
export type InvoiceAction = (typeof invoiceActions)[number];

export const receiptActions = ['resubmit', 'void', 'resolve'] as const;
export type ReceiptAction = (typeof receiptActions)[number];

export const paymentStatuses = ['unpaid', 'partial', 'paid'] as const;
export type PaymentStatus = (typeof paymentStatuses)[number];

export const paymentMethods = ['cash', 'card', 'check', 'transfer', 'voucher', 'other'] as const;
export type PaymentMethod = (typeof paymentMethods)[number];

export const roundings = ['line', 'precise'] as const;
export type Rounding = (typeof roundings)[number];

/** UNCL 5305: standard, zero rated, exempt, reverse charge, intra-community, export, outside the scope. */
export const taxCodes = ['S', 'Z', 'E', 'AE', 'K', 'G', 'O'] as const;
export type TaxCode = (typeof taxCodes)[number];

export const fiscalStatuses = ['pending', 'unknown', 'registered', 'rejected', 'needs_review', 'cancelled'] as const;
export type FiscalStatus = (typeof fiscalStatuses)[number];

/** What has to be mended before a rejected document can be sent again. */
export const fixables = ['data', 'credentials', 'setup'] as const;
export type Fixable = (typeof fixables)[number];

export const authorities = ['sandbox', 'al-cis', 'es-verifactu', 'me-efi'] as const;
export type AuthorityId = (typeof authorities)[number];
/** What an issuer can be given today. */
export const servedAuthorities = ['sandbox'] as const satisfies readonly AuthorityId[];

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

export const attemptKinds = ['submit', 'query', 'cancel'] as const;
export const attemptOutcomes = ['registered', 'rejected', 'deferred', 'unknown'] as const;

/** The ten events of the contract. */
export const webhookEventTypes = [
  'invoice.created',
  'invoice.updated',
  'invoice.submitted',
  'invoice.failed',
  'invoice.voided',
  'receipt.created',
  'receipt.voided',
  'customer.created',
  'customer.updated',
  'customer.deleted',
] as const;
export type WebhookEventType = (typeof webhookEventTypes)[number];

export const endpointStatuses = ['enabled', 'disabled'] as const;
export type EndpointStatus = (typeof endpointStatuses)[number];
export const deliveryStatuses = ['pending', 'succeeded', 'failed', 'cancelled'] as const;
export type DeliveryStatus = (typeof deliveryStatuses)[number];
export const attemptTriggers = ['schedule', 'manual'] as const;
export type AttemptTrigger = (typeof attemptTriggers)[number];

export const plans = ['free', 'starter', 'professional', 'enterprise'] as const;
export type Plan = (typeof plans)[number];

/** Those that are served. */
export const reportNames = ['sales', 'tax', 'customers'] as const;
export type ReportName = (typeof reportNames)[number];

export const permissions = [
  'invoices:read',
  'invoices:write',
  'invoices:submit',
  'invoices:void',
  'receipts:read',
  'receipts:write',
  'receipts:void',
  'customers:read',
  'customers:write',
  'products:read',
  'products:write',
  'reports:read',
  'webhooks:read',
  'webhooks:write',
  'api_keys:read',
  'api_keys:write',
  'settings:read',
  'settings:write',
] as const;
export type Permission = (typeof permissions)[number];
