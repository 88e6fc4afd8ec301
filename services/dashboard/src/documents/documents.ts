import type { Resource } from '../api/types.ts';
import { named, t } from '../texts/t.ts';
import type { Tone } from '../ui/badge.tsx';

export type Invoice = Resource<'Invoice'>;
export type Receipt = Resource<'Receipt'>;
export type Document = Invoice | Receipt;
export type Kind = 'invoice' | 'receipt';

/** Of a document with this id. */
export const kindOf = (id: string): Kind => (id.startsWith('rcp_') ? 'receipt' : 'invoice');

export const listAddress = (kind: Kind): string => `/app/${kind}s`;
/** The form of a new one. */
export const newInvoice = '/app/invoices/new';
export const documentAddress = (kind: Kind, id: string): string => `${listAddress(kind)}/${id}`;

/** The query of one document is below this key, and so is what belongs to it. */
export const documentKey = (env: string, kind: Kind, id: string): readonly string[] => [env, `${kind}s`, id];

/** What `fiscal.status` of a document may be. */
export const registrations = ['pending', 'unknown', 'registered', 'rejected', 'needs_review', 'cancelled'] as const;

const tones: Record<string, Tone> = {
  ...{ draft: 'calm', submitting: 'info', submitted: 'good', failed: 'bad', voiding: 'info', voided: 'calm' },
  ...{ issued: 'good' },
  ...{ unpaid: 'warn', partial: 'warn', paid: 'good' },
  ...{ pending: 'info', unknown: 'warn', registered: 'good', rejected: 'bad', needs_review: 'bad', cancelled: 'calm' },
};
/** How good or bad a status is, of documents, payments and registrations. */
export const toneOf = (status: string): Tone => tones[status] ?? 'calm';

/** Whether its state changes by itself. */
export const isMoving = ({ status, fiscal }: Document): boolean =>
  status === 'submitting' || status === 'voiding' || (status === 'issued' && ['pending', 'unknown'].includes(fiscal?.status ?? ''));

type Paid = Pick<Invoice, 'type' | 'total' | 'payment_status'>;
/** Whether it is paid, of what is to be paid: not of a credit note, nor of what is below 0, by which money is owed back. */
export const paymentOf = ({ type, total, payment_status: paid }: Paid): Invoice['payment_status'] | null =>
  type === 'credit_note' || total.startsWith('-') ? null : paid;

/** By what a person knows it: its number; of a draft, whom it is for. */
export const titleOf = (document: Document): string =>
  document.number ??
  [t('invoices.draftOf', { type: named('type', document.type ?? 'standard') }), customerName(document)].filter(Boolean).join(' · ');

/** The customer's name: frozen, or of a draft as it is now. Null: none, or not shown to this member. */
export const customerName = (document: Document): string | null =>
  document.customer?.name ?? ('customer_name' in document ? (document.customer_name ?? null) : null);
