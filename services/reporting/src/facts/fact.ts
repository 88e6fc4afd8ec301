import type { TaxCode } from '@svc/contracts/tax';
import type { Collection, Doc, Index } from '@svc/document-store';
import type { Day, Env } from '@svc/kernel';

/** One tax group of a document: at most one per category, code and rate. */
export interface TaxFact {
  category: string;
  code: TaxCode;
  /** Percent. */
  rate: string;
  base: string;
  /** With surcharge, without retained tax. */
  tax: string;
  retained: string;
}

/** The sum of a document's lines of one product. */
export interface ProductFact {
  product_id: string;
  subtotal: string;
  tax: string;
}

/**
 * The data of one registered document that reports need, as of its latest event. `_id` is the document's id, `version` the event's
 * sequence. Amounts are decimal texts in `currency`, as on the document: a credit note's are positive.
 */
export interface Fact extends Doc {
  account: string;
  env: Env;
  kind: 'invoice' | 'receipt';
  number: string;
  is_credit_note: boolean;
  customer_id: string | null;
  currency: string;
  issued_on: Day;
  voided_on: Day | null;
  /** The issuer's time zone, as stored on the document. */
  time_zone: string;
  /** Time of the latest event, ISO 8601. */
  changed_at: string;
  subtotal: string;
  discount_total: string;
  tax_total: string;
  /** With tax, before retained tax. */
  total: string;
  paid: string;
  /** total − retained − paid. Credits are not subtracted: a credit note is a fact of its own. */
  due: string;
  taxes: TaxFact[];
  products: ProductFact[];
}

export type Facts = Collection<Fact>;

/** A new shape of the rows needs a new collection and consumer group. */
export const FACTS = 'facts_v1';
export const GROUP = 'reporting';

const tenant = ['account', 'env'];
export const factIndexes: Index[] = [
  { fields: [...tenant, 'issued_on', '_id'] },
  { fields: [...tenant, 'voided_on', '_id'], present: 'voided_on' },
  { fields: [...tenant, 'changed_at', '_id'] },
];
