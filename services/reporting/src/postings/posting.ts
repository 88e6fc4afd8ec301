import type { PaymentMethod } from '@svc/contracts/document/vocabulary';
import type { DocumentKind } from '@svc/contracts/documents';
import type { TaxCode } from '@svc/contracts/tax';
import type { Collection, Doc, Index } from '@svc/document-store';
import type { Day, Env } from '@svc/kernel';

/** One tax group of a document: at most one per category, code and rate. Amounts are decimal texts. */
export interface TaxGroup {
  category: string;
  code: TaxCode;
  /** Percent. */
  rate: string;
  base: string;
  /** With surcharge, without retained tax. */
  tax: string;
  retained: string;
  /** Base and tax in the issuer's currency at the document's rate; absent where a document in another currency states no rate. */
  issuer?: { base: string; tax: string };
}

/** The sum of a document's lines of one product. */
export interface ProductLines {
  product_id: string;
  quantity: string;
  subtotal: string;
  tax: string;
}

/** The amounts with which a document counts: decimal texts in its currency, as on the document, a credit note's above 0. */
export interface Figures {
  /** Change of the number of documents: a void takes one away, a credit note adds one. */
  documents: 1 | -1;
  /** The sign that the amounts count with: a credit note's are negative, a void's have the other sign. */
  sign: 1 | -1;
  subtotal: string;
  discount_total: string;
  tax_total: string;
  /** With tax, before retained tax. */
  total: string;
  /** total − retained: what is to be paid of it by itself. */
  payable: string;
  taxes: TaxGroup[];
  products: ProductLines[];
  issuer_currency: string | null;
  /** The customer as frozen on the document, which stays as it is when the customer is erased. */
  customer_name: string | null;
  customer_tax_id: string | null;
  /** Of an invoice: the day on which payment is due. */
  due_on?: Day;
  /** Of an invoice that says so: how it is to be paid. */
  payment_method?: PaymentMethod;
  /** Of a receipt: how it was paid, where, and by whom it was taken. */
  till?: { payments: { method: PaymentMethod; amount: string }[]; unit: string | null; device: string | null; operator: string | null };
}

/** How far a numbered document is with its authority. */
export type Outcome = 'pending' | 'unknown' | 'registered' | 'failed' | 'voided';

/**
 * One dated change of a numbered document. `_id` is the document and the line of its history that made it, so a repeated event makes the same row. Rows
 * are only ever added.
 */
export interface Posting extends Doc {
  account: string;
  env: Env;
  document: string;
  kind: DocumentKind;
  change: 'numbered' | Outcome | 'paid' | 'reversed';
  /** To which it belongs: registered documents count on their issue date, voids and reversals on their own day. Never before the issue date. */
  day: Day;
  /** The document's issue date. */
  issued_on: Day;
  /** Time of its event, ISO 8601. */
  recorded_at: string;
  /** The epoch of its tenant in which it was stored. */
  stored: number;
  /** The issuer's time zone, as stored on the document. */
  time_zone: string;
  number: string;
  customer_id: string | null;
  currency: string;
  authority: string;
  /** After it. */
  outcome: Outcome;
  /** The day, where amounts count. */
  counted_on?: Day;
  figures?: Figures;
  /** Of a credit note that counts: the invoice of which it lowers what is due. */
  lowers?: string;
  /** Of a payment or its reversal: the amount, above 0. */
  paid?: string;
  /** Of a number. */
  series?: string;
  series_key?: string;
  seq?: number;
  /** The first number of its count; absent where it is not known. */
  first_seq?: number;
  issued_at?: string;
  /** `recorded_at` of a number, to find the last one. */
  numbered_at?: string;
  /** Of the authority's answer: how long it took since the submission, and whether the document was late. */
  answered?: { seconds: number; late: boolean };
}

/** Before it is stored. */
export type NewPosting = Omit<Posting, 'stored'>;

export type Postings = Collection<Posting>;

/** A new shape of the rows needs new collections and a new consumer group, which begins with the first event. */
export const GROUP = 'reporting.r2';
export const POSTINGS = 'postings_v1';

const tenant = ['account', 'env'];
export const postingIndexes: Index[] = [
  { fields: [...tenant, 'issued_on', '_id'] },
  { fields: [...tenant, 'counted_on', '_id'], present: 'counted_on' },
  { fields: [...tenant, 'recorded_at', '_id'] },
  { fields: [...tenant, 'numbered_at', '_id'], present: 'numbered_at' },
  { fields: [...tenant, 'series_key', 'seq', '_id'], present: 'series_key' },
  { fields: [...tenant, 'series_key', 'issued_on', 'seq', '_id'], present: 'series_key' },
  { fields: [...tenant, 'lowers', '_id'], present: 'lowers' },
];

/** Lines of a document, in the order of their numbers: a document has at most 1,000 events. */
export const postingId = (document: string, line: number): string => `${document}:${String(line).padStart(4, '0')}`;
